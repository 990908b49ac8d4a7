/** Deletes the braces of a formula that have no partner. Escaped ones are characters, and stay. */
export function matchBraces(latex: string): string {
  const open: number[] = []
  const lonely = new Set<number>()
  for (let at = 0; at < latex.length; at++) {
    const char = latex[at]
    if (char === '\\') at++
    else if (char === '{') open.push(at)
    else if (char === '}' && open.pop() === undefined) lonely.add(at)
  }
  for (const at of open) lonely.add(at)
  return lonely.size === 0 ? latex : Array.from({ length: latex.length }, (_, at) => (lonely.has(at) ? '' : latex[at])).join('')
}
