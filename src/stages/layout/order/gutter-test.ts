import { overlap } from '../../../geometry/box.ts'
import type { PointBox } from '../../../schema/text-layer.ts'
import { medianEm, type Piece } from './piece.ts'
import type { Side } from './side.ts'

/** Lines and boxes drawn on the page that set columns apart. */
export interface Dividers {
  /** x, from y, to y of vertical rules. */
  readonly rules: readonly (readonly [number, number, number])[]
  /** y, from x, to x of horizontal rules that may end a stretch of columns; ascending. */
  readonly bars: readonly (readonly [number, number, number])[]
  /** Boxes drawn round text. */
  readonly boxes: readonly PointBox[]
  /** Gutters found already, from x to x: short stretches in the same place need less proof. */
  readonly known: [from: number, to: number][]
}

/** Narrower than this (in em) is a column of list markers, line numbers or page numbers, not of text. */
const narrowestColumnEm = 3

/**
 * Whether the white between two sides is a gutter between columns, which are then read one after the other,
 * rather than the white within rows that are read across (labels and values, entries and page numbers, a table
 * without lines).
 */
export function isGutter(left: Side, right: Side, em: number, dividers: Dividers): boolean {
  const white = right.x0 - left.x1
  if (isKnown(left, right, em, dividers)) return white > 0.55 * em && left.width > narrowestColumnEm * em && right.width > narrowestColumnEm * em
  if (left.lines < 2 || right.lines < 2) return false
  const few = Math.min(left.lines, right.lines) < 5
  if (white < (few ? 0.95 : 0.55) * em) return false
  if (!left.hasSolid && left.width < narrowestColumnEm * em) return false
  if (!right.hasSolid && right.width < narrowestColumnEm * em) return false
  const shared = overlap(left.y0, left.y1, right.y0, right.y1)
  if (shared < 1.5 * em || shared < 0.4 * Math.min(left.height, right.height)) return false
  if (few && (isStaggered(left) || isStaggered(right))) return false
  if (isDivided(left, right, em, dividers) || isSideNotes(left, right, em) || isSideNotes(right, left, em)) return true
  return !isRows(left, right, em)
}

/** Lines closer than lines of text can be: the parts of a formula, on both sides of its sign. */
function isStaggered(side: Side): boolean {
  let above: Piece | undefined
  for (const piece of [...side.pieces].filter((p) => p.atom?.words).sort((a, b) => a.baseline - b.baseline)) {
    const step = above ? piece.baseline - above.baseline : 0
    if (above && step > 0.4 * piece.em && step < 0.9 * Math.min(piece.em, above.em)) return true
    above = piece
  }
  return false
}

/** The stretch continues a gutter found above or below, and no text reaches beyond its sides. */
const isKnown = (left: Side, right: Side, em: number, dividers: Dividers): boolean =>
  dividers.known.some(([from, to]) => left.x1 <= from + 0.5 * em && right.x0 >= to - 0.5 * em && overlap(left.y0, left.y1, right.y0, right.y1) > 0)

/** A rule stands in the gutter, or a box holds one side and not the other. */
function isDivided(left: Side, right: Side, em: number, dividers: Dividers): boolean {
  const y0 = Math.max(left.y0, right.y0)
  const y1 = Math.min(left.y1, right.y1)
  for (const [x, from, to] of dividers.rules) {
    if (x >= left.x1 - em * 0.3 && x <= right.x0 + em * 0.3 && overlap(from, to, y0, y1) > 0.7 * (y1 - y0)) return true
  }
  return dividers.boxes.some((box) => holdsOnly(box, left, right, em) || holdsOnly(box, right, left, em))
}

const holdsOnly = (box: PointBox, held: Side, other: Side, em: number): boolean =>
  box[0] <= held.x0 + em * 0.3 && box[2] >= held.x1 - em * 0.3 && box[1] <= held.y0 + em && box[3] >= held.y1 - em && (box[2] <= other.x0 || box[0] >= other.x1)

/** Notes in smaller type in a narrow column beside running text; labels of rows have the size of their values. */
const isSideNotes = (notes: Side, text: Side, em: number): boolean =>
  notes.width < 0.35 * text.width && isRunning(text, em) && !notes.hasSolid && medianEm(notes.pieces) < 0.88 * medianEm(text.pieces)

/**
 * Rows that are read across: the lines of the two sides stand on common baselines and at least one side
 * is no running text. The order of the content settles it where there is one.
 */
function isRows(left: Side, right: Side, em: number): boolean {
  if (left.hasSolid || right.hasSolid) return false
  const aligned = alignedShare(left.pieces, right.pieces, em)
  if (aligned < 0.75) return false
  if (isRunning(left, em) && isRunning(right, em)) return false
  const order = contentOrder(left.pieces, right.pieces)
  return order !== 'columns'
}

/** Share of the lines of the shorter side that stand on a baseline of the other. */
function alignedShare(a: readonly Piece[], b: readonly Piece[], em: number): number {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a]
  let hits = 0
  let from = 0
  for (const piece of few) {
    while (from < many.length - 1 && (many[from]?.baseline ?? 0) < piece.baseline - 2 * em) from++
    for (let i = from; i < many.length; i++) {
      const other = many[i]
      if (!other || other.baseline > piece.baseline + 2 * em) break
      if (Math.abs(other.baseline - piece.baseline) <= 0.3 * em) {
        hits++
        break
      }
    }
  }
  return few.length > 0 ? hits / few.length : 0
}

/** Running text fills its lines: most of them reach nearly across the column, and the column is wide enough for words. */
export function isRunning(side: Side, em: number): boolean {
  if (side.width < 8 * em || side.lines < 3) return false
  // Several atoms may stand on one line: add up what they cover.
  let full = 0
  let covered = 0
  let baseline = -Infinity
  for (const piece of side.pieces) {
    if (Math.abs(piece.baseline - baseline) > em * 0.4) {
      if (covered > 0.72 * side.width) full++
      covered = 0
      baseline = piece.baseline
    }
    covered += piece.box[2] - piece.box[0]
  }
  if (covered > 0.72 * side.width) full++
  return full >= 0.5 * side.lines
}

/** How the source wrote the two sides: one after the other, across, or no order that tells. */
export function contentOrder(left: readonly Piece[], right: readonly Piece[]): 'columns' | 'rows' | 'unknown' {
  if (left.length < 2 || right.length < 2) return 'unknown'
  const ranked = [...left.map((p) => [p.rank, 0] as const), ...right.map((p) => [p.rank, 1] as const)]
  if (ranked.some(([rank]) => rank < 0)) return 'unknown'
  ranked.sort((a, b) => a[0] - b[0])
  let changes = 0
  for (let i = 1; i < ranked.length; i++) if (ranked[i]?.[1] !== ranked[i - 1]?.[1]) changes++
  // Notes and captions may be written apart from the text of their column.
  if (changes <= Math.max(2, 0.12 * ranked.length)) return 'columns'
  return changes >= Math.min(left.length, right.length) ? 'rows' : 'unknown'
}
