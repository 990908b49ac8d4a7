/** White between two words of one line, in points. */
export interface Gap {
  /** Number of the line it stands in. */
  readonly line: number
  /** It stands before this word of the line. */
  readonly before: number
  readonly from: number
  readonly to: number
  readonly y: number
  readonly em: number
}

/** A run of words of one line between wide gaps, in the direction of reading. */
export interface Run {
  readonly line: number
  readonly from: number
  readonly to: number
  readonly y: number
}

/** A gap this wide (in em) ends a run of words whatever its neighbours do. */
export const wideGapEm = 1.6
/** Narrower ones may still be the white between two columns. */
export const suspectGapEm = 0.55
/** How far up and down (in em) the white of a gutter must continue, and past how many lines on each side. */
const reachEm = 5
const linesEachSide = 3

/**
 * Gaps too narrow to tell by themselves that are the white between columns: the lines above and below end before and
 * begin after the same place, and none crosses it. The spaces of justified prose are crossed at once.
 *
 * @param runs every line cut at its gaps and suspects; any order.
 */
export function gutterGaps(gaps: readonly Gap[], runs: readonly Run[]): Set<Gap> {
  const sorted = [...runs].sort((a, b) => a.y - b.y)
  const heights = sorted.map((run) => run.y)
  return new Set(gaps.filter((gap) => continues(gap, sorted, heights)))
}

function continues(gap: Gap, runs: readonly Run[], heights: readonly number[]): boolean {
  const middle = (gap.from + gap.to) / 2
  const reach = reachEm * gap.em
  let [left, right] = [0, 0]
  for (let i = firstAtLeast(heights, gap.y - reach); i < runs.length; i++) {
    const run = runs[i]
    if (!run || run.y > gap.y + reach) break
    if (run.line === gap.line) continue
    if (run.from < middle - 0.15 * gap.em && run.to > middle + 0.15 * gap.em) return false
    if (run.to <= middle && run.to > gap.from - 8 * gap.em) left++
    if (run.from >= middle && run.from < gap.to + 3 * gap.em) right++
  }
  return left >= linesEachSide && right >= linesEachSide
}

/** Index of the first of ascending values that is not below. */
function firstAtLeast(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
