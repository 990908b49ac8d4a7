import { unionAll } from '../../../geometry/box.ts'
import type { PointBox } from '../../../schema/text-layer.ts'
import { findGutter } from './find-gutter.ts'
import { contentOrder, type Dividers } from './gutter-test.ts'
import { byTop, medianEm, type Piece } from './piece.ts'
import type { Side } from './side.ts'

/** A stretch of one column, read from top to bottom. */
export interface ColumnPart {
  /** From top to bottom. */
  readonly pieces: readonly Piece[]
  /** The column that the part stands in: lines are measured against its edges. */
  readonly column: PointBox
}

export interface CutOptions {
  readonly rightToLeft: boolean
  readonly dividers: Dividers
}

/** No page has columns within columns to this depth; it bounds the work on one that was made to be slow. */
const maxDepth = 24

/**
 * Reading order by recursive cuts along white: columns one after the other, what lies across them where it lies.
 *
 * Source: the recursive XY-cut of Nagy and Seth (1984), with the order of cuts turned round: a gutter is cut before the
 * white between paragraphs, so that gaps which happen to align in two columns never interleave them.
 */
export function xyCut(pieces: readonly Piece[], options: CutOptions): ColumnPart[] {
  const parts: ColumnPart[] = []
  cut([...pieces].sort(byTop), options, 0, parts)
  return parts
}

function cut(pieces: readonly Piece[], options: CutOptions, depth: number, parts: ColumnPart[]): void {
  if (pieces.length === 0) return
  const gutter = pieces.length > 3 && depth < maxDepth ? findGutter(pieces, medianEm(pieces), options.dividers) : undefined
  if (!gutter) {
    parts.push({ pieces, column: unionAll(pieces.map((p) => p.box)) })
    return
  }
  const { known } = options.dividers
  if (known.length < maxDepth) known.push([gutter.left.x1, gutter.right.x0])
  cut(gutter.above, options, depth + 1, parts)
  for (const { left, right } of bands(gutter.left, gutter.right)) {
    const [first, second] = options.rightToLeft ? [right, left] : [left, right]
    cut(first, options, depth + 1, parts)
    cut(second, options, depth + 1, parts)
  }
  cut(gutter.below, options, depth + 1, parts)
}

interface Band {
  readonly left: readonly Piece[]
  readonly right: readonly Piece[]
}

/**
 * Two columns are one band, unless the source wrote them a band at a time: left, right, then the next pair below
 * a white stripe through both. Texts set side by side, such as verses and translations, look like that.
 */
function bands(left: Side, right: Side): Band[] {
  const whole = [{ left: left.pieces, right: right.pieces }]
  if (contentOrder(left.pieces, right.pieces) !== 'unknown') return whole
  const all = [...left.pieces, ...right.pieces].sort(byTop)
  if (all.some((p) => p.rank < 0)) return whole
  const isLeft = new Set(left.pieces)
  const found: Band[] = []
  let current: Piece[] = []
  let reach = all[0]?.box[3] ?? 0
  const close = () => found.push({ left: current.filter((p) => isLeft.has(p)), right: current.filter((p) => !isLeft.has(p)) })
  for (const piece of all) {
    if (piece.box[1] - reach > 0.8 * piece.em) {
      close()
      current = []
    }
    current.push(piece)
    reach = Math.max(reach, piece.box[3])
  }
  close()
  return found.length > 1 && isWrittenByBand(found) ? found : whole
}

/** Each band's pieces come before the next one's in the source, and within a band the left before the right. */
function isWrittenByBand(found: readonly Band[]): boolean {
  let last = -1
  for (const band of found) {
    for (const side of [band.left, band.right]) {
      if (side.length === 0) continue
      const ranks = side.map((p) => p.rank)
      if (Math.min(...ranks) <= last) return false
      last = Math.max(...ranks)
    }
  }
  return true
}
