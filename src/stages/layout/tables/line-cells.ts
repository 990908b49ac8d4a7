import { isFigure } from '../../../text/is-figure.ts'
import { middleOf, type Strip } from './column-gaps.ts'
import type { Bit } from './table-view.ts'
import { type Piece, pieceOf, piecesOf, type TextLine, textOf } from './text-lines.ts'

/** What one printed line holds in one column or several. */
export interface LineCell {
  readonly first: number
  readonly last: number
  readonly x0: number
  readonly x1: number
  readonly bits: readonly Bit[]
  /** A figure rather than words; undefined when the text is not known. */
  readonly figure: boolean | undefined
}

export interface CellLine {
  readonly y0: number
  readonly y1: number
  readonly sizePt: number
  readonly cells: readonly LineCell[]
}

/**
 * Distributes a line to columns. White at a border parts a piece when it is wide, or when the parts are figures.
 * Words that run over a border of white stay together: they head several columns or overflow into an empty one.
 */
export function cellLine(line: TextLine, strips: readonly Strip[]): CellLine {
  const cells = piecesOf(line).flatMap((piece) => partPiece(piece, strips, line.sizePt))
  return { y0: line.box[1], y1: line.box[3], sizePt: line.sizePt, cells: joinSameColumn(cells) }
}

function partPiece(piece: Piece, strips: readonly Strip[], em: number): LineCell[] {
  const parts: Bit[][] = []
  let open: Bit[] = []
  let reach = -Infinity
  for (const bit of piece.bits) {
    const border = strips.find((s) => middleOf(s) > reach - 1 && middleOf(s) < bit.box[0] + 1 && middleOf(s) > (open[0]?.box[0] ?? Infinity))
    if (border && open.length > 0 && partsHere(open, bit, border, reach, em)) {
      parts.push(open)
      open = []
    }
    open.push(bit)
    reach = Math.max(reach, bit.box[2])
  }
  parts.push(open)
  return parts.map((bits) => cellOf(bits, strips, em))
}

/** Whether a border between two neighbouring words parts them. */
function partsHere(before: readonly Bit[], after: Bit, border: Strip, reach: number, em: number): boolean {
  if (border.from === border.to) return true
  const white = after.box[0] - reach
  const isWide = white > after.spaceTo
  const figures = isFigure(before.at(-1)?.text ?? '') === true || isFigure(after.text) === true
  return isWide || (figures && white > 0.15 * em && fillsStrip(border, reach, after.box[0], em))
}

/** The white between the words is about the strip itself: both stand at the edges of their columns. */
const fillsStrip = (border: Strip, from: number, to: number, em: number): boolean => from <= border.from + 0.6 * em && to >= border.to - 0.6 * em

function cellOf(bits: readonly Bit[], strips: readonly Strip[], em: number): LineCell {
  const { x0, x1 } = pieceOf(bits)
  // A letter that leans over the border does not reach into the next column.
  const lean = Math.min(0.4 * em, (x1 - x0) / 4)
  let first = 0
  let last = 0
  for (const strip of strips) {
    if (middleOf(strip) <= x0 + lean) first++
    if (middleOf(strip) < x1 - lean) last++
  }
  return { first, last: Math.max(first, last), x0, x1, bits, figure: isFigure(textOf(bits)) }
}

/** Pieces of one line in the same column are one cell. */
function joinSameColumn(cells: readonly LineCell[]): LineCell[] {
  const joined: LineCell[] = []
  for (const cell of cells) {
    const before = joined.at(-1)
    if (before && cell.first <= before.last) {
      const bits = [...before.bits, ...cell.bits]
      joined[joined.length - 1] = { ...before, last: Math.max(before.last, cell.last), x1: Math.max(before.x1, cell.x1), bits, figure: isFigure(textOf(bits)) }
    } else {
      joined.push(cell)
    }
  }
  return joined
}
