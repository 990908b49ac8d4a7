/**
 * Parses `1,3-5,10-` (1-based, as printed in a reader) to ascending 0-based page indices.
 * An open end reaches to `lastPage`. Throws a RangeError that names the part it does not understand.
 */
export function parsePageRanges(text: string, lastPage = 100_000): number[] {
  const pages = new Set<number>()
  for (const part of text.split(',')) {
    const match = /^\s*(\d+)\s*(?:(-)\s*(\d*)\s*)?$/.exec(part)
    const first = Number(match?.[1])
    const last = match?.[2] ? (match[3] ? Number(match[3]) : lastPage) : first
    if (!match || first < 1 || last < first || last > lastPage)
      throw new RangeError(`page range "${part.trim()}": expected numbers from 1 on, such as 1,3-5,10-`)
    for (let page = first; page <= last; page++) pages.add(page - 1)
  }
  return [...pages].sort((a, b) => a - b)
}
