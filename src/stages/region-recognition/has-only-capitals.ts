/** Whether all cased letters are capitals, four of them at least. */
export function hasOnlyCapitals(text: string): boolean {
  if (/\p{Ll}/u.test(text)) return false
  return (text.slice(0, 400).match(/\p{Lu}/gu)?.length ?? 0) >= 4
}
