import { overlap } from '../../../geometry/box.ts'
import { type Dividers, isGutter } from './gutter-test.ts'
import type { Piece } from './piece.ts'
import { Side } from './side.ts'

/** A gutter and the stretch of the page along which it runs. */
export interface Gutter {
  readonly left: Side
  readonly right: Side
  /** Pieces before and after the stretch, from top to bottom. */
  readonly above: readonly Piece[]
  readonly below: readonly Piece[]
}

/** Left and right edges that are tried at most, for a page made to be slow. */
const maxCandidates = 80

/**
 * The gutter along which the most text stands side by side. What lies across it ends the stretch above or below,
 * so that a heading, table or figure over several columns cuts them only where it lies; a table or figure that
 * merely sticks out of its column does not cut.
 *
 * @param pieces from top to bottom.
 */
export function findGutter(pieces: readonly Piece[], em: number, dividers: Dividers): Gutter | undefined {
  const white = 0.55 * em
  let best: Stretch | undefined
  for (const at of candidates(pieces, em, white)) best = longestStretch(pieces, at - white, at, em, dividers, best ? best.score * 1.02 : -Infinity) ?? best
  return best && trim(best, pieces, em)
}

interface Stretch {
  readonly left: Side
  readonly right: Side
  readonly score: number
}

/** Right ends of strips of white worth trying: shared left edges, shared right edges, and white through the whole height. */
function candidates(pieces: readonly Piece[], em: number, white: number): number[] {
  const tried: number[] = []
  const add = (at: number) => {
    if (!tried.some((t) => Math.abs(t - at) < 0.1 * em)) tried.push(at)
  }
  const byStart = [...pieces].sort((a, b) => a.box[0] - b.box[0])
  const starts = Float64Array.from(byStart, (p) => p.box[0])
  const ends = Float64Array.from(pieces, (p) => p.box[2]).sort()
  let reach = byStart[0]?.box[2] ?? 0
  for (const piece of byStart) {
    if (piece.box[0] - reach >= white) add(piece.box[0])
    reach = Math.max(reach, piece.box[2])
  }
  // Regions of a picture begin where the finder happened to see ink: not quite one below the other.
  const tolerance = (pieces.some((p) => p.rank < 0 && p.atom) ? 0.6 : 0.25) * em
  for (const at of clusters(starts, tolerance, 'first')) add(at)
  for (const at of clusters(ends, tolerance, 'last')) add(at + white)
  return tried.slice(0, maxCandidates)
}

/** Values that at least two edges share, the most shared first. `values` ascend. */
function clusters(values: Float64Array, tolerance: number, keep: 'first' | 'last'): number[] {
  const found: { at: number; count: number }[] = []
  let from = 0
  for (let i = 1; i <= values.length; i++) {
    const value = values[i]
    const before = values[i - 1] ?? 0
    if (value !== undefined && value - before <= tolerance * 0.5 && value - (values[from] ?? 0) <= tolerance) continue
    if (i - from >= 2) found.push({ at: keep === 'first' ? (values[from] ?? 0) : before, count: i - from })
    from = i
  }
  return found
    .sort((a, b) => b.count - a.count)
    .slice(0, maxCandidates / 2)
    .map((c) => c.at)
}

/**
 * The stretch of the strip `from`..`to` with the most text side by side that passes for columns.
 *
 * @param least a score that must be exceeded.
 */
function longestStretch(pieces: readonly Piece[], from: number, to: number, em: number, dividers: Dividers, least: number): Stretch | undefined {
  let best: Stretch | undefined
  let left = new Side()
  let right = new Side()
  let crossed = -Infinity
  // A rule drawn across the gutter divides the page like a line of text across it.
  const bars = dividers.bars.filter((b) => b[1] < from - 3 * em && b[2] > to + 3 * em)
  const close = () => {
    const [someLeft, someRight] = [left.pieces.length > 0, right.pieces.length > 0]
    if (someLeft && someRight) {
      const shared = overlap(left.y0, left.y1, right.y0, right.y1)
      const score = shared * Math.min(1, (right.x0 - left.x1) / em + 0.5)
      if (shared > 0 && score > (best?.score ?? least) && isGutter(left, right, em, dividers)) best = { left, right, score }
    }
    // Lines across follow each other on most pages: sides that took nothing serve again.
    if (someLeft) left = new Side()
    if (someRight) right = new Side()
  }
  let bar = 0
  for (const piece of pieces) {
    const middle = (piece.box[1] + piece.box[3]) / 2
    for (; bar < bars.length && (bars[bar]?.[0] ?? 0) < middle; bar++) close()
    const side = sideOf(piece, from, to, pieces)
    if (side === 'across') {
      close()
      crossed = Math.max(crossed, piece.box[3])
    } else if (middle < crossed) continue
    else if (side === 'left') left.add(piece, -Infinity, piece.solid === undefined ? Infinity : from)
    else right.add(piece, piece.solid === undefined ? -Infinity : to)
  }
  close()
  return best
}

function sideOf(piece: Piece, from: number, to: number, pieces: readonly Piece[]): 'left' | 'right' | 'across' {
  const [x0, , x1] = piece.box
  const slack = 0.12 * (to - from)
  if (x1 <= from + slack) return 'left'
  if (x0 >= to - slack) return 'right'
  if (piece.solid === undefined) return 'across'
  // A table or figure that sticks out of its column belongs to it all the same, unless it pushes the other column aside.
  const outLeft = from - x0
  const outRight = x1 - to
  const beside = (test: (p: Piece) => boolean) =>
    pieces.some((p) => p !== piece && test(p) && overlap(p.box[1], p.box[3], piece.box[1], piece.box[3]) > 0.5 * p.em)
  if (outRight < 0.25 * outLeft && beside((p) => p.box[0] >= x1)) return 'left'
  if (outLeft < 0.25 * outRight && beside((p) => p.box[2] <= x0)) return 'right'
  return 'across'
}

/**
 * Gives back what stands at the ends of the stretch beside nothing and belongs to the text across: the short last line
 * of a paragraph above, and a heading that is short enough to fit into the first column but begins what follows below.
 */
function trim(stretch: Stretch, pieces: readonly Piece[], em: number): Gutter {
  const inside = new Set([...stretch.left.pieces, ...stretch.right.pieces])
  const top = Math.min(stretch.left.y0, stretch.right.y0)
  const above = pieces.filter((p) => !inside.has(p) && p.box[1] <= top)
  const below = pieces.filter((p) => !inside.has(p) && p.box[1] > top)
  for (const [side, other] of [
    [stretch.left, stretch.right],
    [stretch.right, stretch.left],
  ] as const) {
    const first = side.pieces[0]
    const next = side.pieces[1]
    const last = above.at(-1)
    if (first && next && last && side.lines > 2 && first.atom && last.atom && first.box[3] <= other.y0 && continues(last, first, next)) inside.delete(first)
    const end = side.pieces.at(-1)
    const before = side.pieces.at(-2)
    const after = below[0]
    if (end && before && after && side.lines > 2 && end.atom && end !== first && end.box[1] >= other.y1 && belongsBelow(before, end, after, em))
      inside.delete(end)
  }
  if (inside.size === stretch.left.pieces.length + stretch.right.pieces.length) return { left: stretch.left, right: stretch.right, above, below }
  const left = rebuild(stretch.left, inside)
  const right = rebuild(stretch.right, inside)
  const start = Math.min(left.y0, right.y0)
  return {
    left,
    right,
    above: pieces.filter((p) => !inside.has(p) && p.box[1] <= start),
    below: pieces.filter((p) => !inside.has(p) && p.box[1] > start),
  }
}

/** Same type and no more white before it than after it. */
const continues = (last: Piece, first: Piece, next: Piece): boolean =>
  Math.abs(last.em - first.em) < 0.08 * first.em &&
  first.baseline - last.baseline < 1.6 * first.em &&
  first.baseline - last.baseline <= next.baseline - first.baseline + 0.2 * first.em

/** More white before it than between it and what lies across below. */
const belongsBelow = (before: Piece, end: Piece, after: Piece, em: number): boolean =>
  end.box[1] - before.box[3] > Math.max(0.8 * em, 1.2 * (after.box[1] - end.box[3])) && after.box[1] - end.box[3] < 3 * em

function rebuild(side: Side, keep: ReadonlySet<Piece>): Side {
  const kept = new Side()
  for (const piece of side.pieces) if (keep.has(piece)) kept.add(piece)
  return kept
}
