import type { Piece } from './piece.ts'

/** Rows that stand apart at the top and foot of a page: they belong to no column. */
export interface MarginRows {
  /** From top to bottom, the pieces of a row from left to right. */
  readonly head: readonly (readonly Piece[])[]
  readonly body: readonly Piece[]
  readonly foot: readonly (readonly Piece[])[]
}

/** Running heads stand in this share of the page at its top, running feet in the same at its end. */
const zone = 0.14
/** A single short row may stand further in when the white between it and the text is wide. */
const wideZone = 0.22
const maxRows = 3
/** A row of more text than this is a paragraph. */
const maxChars = 160

/**
 * Takes single rows off the top and foot of a page that are cut off by white through the whole width. Left in, the
 * parts of a running head would be read as the first lines of the columns below them.
 *
 * @param pieces from top to bottom.
 * @param em size of the running text.
 */
export function takeMarginRows(pieces: readonly Piece[], pageHeight: number, em: number): MarginRows {
  const head: Piece[][] = []
  const foot: Piece[][] = []
  let rest = pieces
  while (head.length < maxRows) {
    const row = topRow(rest)
    const next = rest[row.length]
    if (!next || !isMarginRow(row) || row.some((p) => p.em > 1.25 * em)) break
    const end = Math.max(...row.map((p) => p.box[3]))
    const white = next.box[1] - end
    if (end > (head.length === 0 && isLone(row, white) ? wideZone : zone) * pageHeight) break
    if (white < 0.9 * em) {
      if (head.length > 0 || !isFollowedByApart(rest, row.length, em, pageHeight)) break
    } else if (isUsualWhite(rest.slice(row.length), white)) break
    head.push(row.sort((a, b) => a.box[0] - b.box[0]))
    rest = rest.slice(row.length)
  }
  while (foot.length < maxRows) {
    const row = bottomRow(rest)
    const top = Math.min(...row.map((p) => p.box[1]))
    if (row.length === 0 || row.length === rest.length || !isMarginRow(row) || top < (1 - wideZone) * pageHeight) break
    const taken = new Set(row)
    const others = rest.filter((p) => !taken.has(p))
    const white = top - Math.max(...others.map((p) => p.box[3]))
    if (white < 0.9 * em || top < (1 - (foot.length === 0 && isLone(row, white) ? wideZone : zone)) * pageHeight) break
    foot.unshift(row.sort((a, b) => a.box[0] - b.box[0]))
    rest = others
  }
  return { head, body: rest, foot }
}

/** The rows that follow stand as far apart: widely spaced text rather than a head. */
function isUsualWhite(pieces: readonly Piece[], white: number): boolean {
  const row = topRow(pieces)
  const next = pieces[row.length]
  if (!next) return pieces.length > 0 && row.length > 1
  return next.box[1] - Math.max(...row.map((p) => p.box[3])) > 0.75 * white
}

/** The first pieces that overlap in height. */
function topRow(pieces: readonly Piece[]): Piece[] {
  const row: Piece[] = []
  let reach = -Infinity
  for (const piece of pieces) {
    if (row.length > 0 && piece.box[1] >= reach - 0.25 * piece.em) break
    row.push(piece)
    reach = row.length === 1 ? piece.box[3] : Math.max(reach, piece.box[3])
    if (row.length > 12) break
  }
  return row
}

function bottomRow(pieces: readonly Piece[]): Piece[] {
  let lowest: Piece | undefined
  for (const piece of pieces) if (!lowest || piece.box[3] > lowest.box[3]) lowest = piece
  if (!lowest) return []
  const { box } = lowest
  return pieces.filter((p) => p.box[3] > box[1] + 0.25 * p.em && (p.box[1] + p.box[3]) / 2 > box[1] - 0.5 * p.em)
}

/** A number or a few words, with the white of three lines to the text. */
const isLone = (row: readonly Piece[], white: number): boolean =>
  row.length === 1 && (row[0]?.atom?.text.length ?? 0) < 12 && row[0]?.atom?.text !== '' && white > 1.8 * (row[0]?.em ?? 10)

const isMarginRow = (row: readonly Piece[]): boolean =>
  row.length > 0 && row.length <= 8 && row.every((p) => p.solid === undefined) && row.reduce((sum, p) => sum + (p.atom?.text.length ?? 0), 0) <= maxChars

/** A head of two rows set close: the second is followed by white. */
function isFollowedByApart(pieces: readonly Piece[], from: number, em: number, pageHeight: number): boolean {
  const second = topRow(pieces.slice(from))
  const next = pieces[from + second.length]
  const reach = Math.max(...second.map((p) => p.box[3]))
  return next !== undefined && isMarginRow(second) && reach < 0.09 * pageHeight && next.box[1] - reach > 1.2 * em
}
