import type { Piece } from './piece.ts'

/** Writing beside the text at the outer edge of a page. */
export interface MarginStrip {
  readonly strip: readonly Piece[]
  readonly rest: readonly Piece[]
}

/** A strip is at most so wide, and its pieces at least so many and so spread out. */
const widestEm = 3.2
const fewest = 4
const shortest = 0.2
/** Lines at least so long are the text that the strip stands beside. */
const lineEm = 9

/**
 * Takes narrow pieces that stand one above the other outside all lines of text: line numbers, and what a finder sees of
 * a stamp along the edge. Left in, they would be read into the lines beside them. Words that are no numbers stay:
 * they may be the labels of the lines.
 */
export function takeMarginStrip(pieces: readonly Piece[], pageHeight: number): MarginStrip {
  const lines = pieces.filter((p) => p.atom && p.box[2] - p.box[0] > lineEm * p.em)
  if (lines.length < fewest) return { strip: [], rest: pieces }
  const left = Math.min(...lines.map((p) => p.box[0]))
  const right = Math.max(...lines.map((p) => p.box[2]))
  const isOutside = (p: Piece) => p.box[2] < left - 0.8 * p.em || p.box[0] > right + 0.8 * p.em
  const strip = pieces.filter((p) => isOutside(p) && p.box[2] - p.box[0] < widestEm * p.em && isNumberOrUnread(p))
  const height = Math.max(...strip.map((p) => p.box[3])) - Math.min(...strip.map((p) => p.box[1]))
  if (strip.length < fewest || height < shortest * pageHeight) return { strip: [], rest: pieces }
  const taken = new Set(strip)
  return { strip, rest: pieces.filter((p) => !taken.has(p)) }
}

const isNumberOrUnread = (piece: Piece): boolean => piece.atom !== undefined && (piece.atom.text === '' || /^\d{1,4}$/.test(piece.atom.text))
