/** Longer texts are cut: a sample is a line. */
const maxLength = 400

/** Insertions, deletions and replacements of code units between two texts, each cut to 400. Source: Wagner and Fischer 1974. */
export function editDistance(a: string, b: string): number {
  const left = a.slice(0, maxLength)
  const right = b.slice(0, maxLength)
  let above = Array.from({ length: right.length + 1 }, (_, i) => i)
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    for (let j = 1; j <= right.length; j++) {
      const replaced = (above[j - 1] as number) + (left.charCodeAt(i - 1) === right.charCodeAt(j - 1) ? 0 : 1)
      row.push(Math.min(replaced, (above[j] as number) + 1, (row[j - 1] as number) + 1))
    }
    above = row
  }
  return above[right.length] as number
}

/** Letters and digits alone, without case, width and diacritics: what two readers of one line must agree on. */
export const comparable = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

/** 1 for texts with the same letters and digits, 0 for texts with nothing in common. */
export function similarity(a: string, b: string): number {
  const [left, right] = [comparable(a), comparable(b)]
  const longest = Math.min(maxLength, Math.max(left.length, right.length))
  return longest === 0 ? 1 : 1 - editDistance(left, right) / longest
}
