/** Longer texts are no mistyped keys. */
const longest = 80
/** Two letters that changed places, and for long keys a share of their length; what needs more changes is another word. */
const [fewest, mostChanged] = [2, 0.3]

const folded = (key: string): string => key.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The known key that an unknown one is most likely a mistyped form of, dots, case and separators aside; undefined where none is near. */
export function likelyKey(key: string, known: readonly string[]): string | undefined {
  const wanted = folded(key)
  if (wanted.length > longest) return undefined
  const near = known
    .map((each) => ({ each, changes: changesBetween(wanted, folded(each)) }))
    .filter(({ changes }) => changes <= Math.max(fewest, 1 + mostChanged * lastPart(key)))
  return near.reduce<(typeof near)[number] | undefined>((best, next) => (best && best.changes <= next.changes ? best : next), undefined)?.each
}

const lastPart = (key: string): number => (key.split('.').at(-1) ?? '').length

/** Letters put in, left out or changed between two words (Levenshtein's distance). */
function changesBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const changed = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(changed, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    above = current
  }
  return above[b.length] ?? 0
}
