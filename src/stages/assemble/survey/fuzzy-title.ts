/** Letters and digits only, case and width folded: what two printings of one title have in common. */
export const titleKey = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** Dice coefficient of character pairs, 0..1. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1
  if (a.length < 2 || b.length < 2) return 0
  const pairs = new Map<string, number>()
  for (let i = 0; i + 1 < a.length; i++) {
    const pair = a.slice(i, i + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  let common = 0
  for (let i = 0; i + 1 < b.length; i++) {
    const pair = b.slice(i, i + 2)
    const left = pairs.get(pair) ?? 0
    if (left > 0) {
      pairs.set(pair, left - 1)
      common++
    }
  }
  return (2 * common) / (a.length + b.length - 2)
}

/** A title key without the section's number. */
export const withoutNumber = (key: string) => key.replace(/^(?:\d+|[ivxlc]+(?=\p{L}{4}))/u, '')

/** Whether two title keys name one heading: equal but for the number, or alike, which forgives a reader's slips. */
export function sameTitle(a: string, b: string): boolean {
  if (a === '' || b === '') return false
  if (a === b || (withoutNumber(a) === withoutNumber(b) && withoutNumber(a) !== '')) return true
  if (Math.min(a.length, b.length) < 6 || Math.max(a.length, b.length) > 400) return false
  return likeness(a, b) >= 0.85
}
