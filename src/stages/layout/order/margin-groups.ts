import { wordsAtom } from '../atoms/atoms-from-words.ts'
import type { PageGeometry } from '../page-geometry.ts'
import { atomPiece, type Piece } from './piece.ts'

const number = /^(?:\d{1,6}|[ivxlc]{1,6})$/
/** White that sets a page number apart from a running title, in em: wider than a space, narrower than what cuts a line. */
const apartEm = 0.9
/** Parts of a running title that stand nearer than this belong together: a section's number and its name. */
const togetherEm = 3

/**
 * The parts of a row at the top or foot of a page: what stands close together is one, but a page number at an end of
 * the row is a part of its own.
 *
 * @param row from left to right.
 */
export function marginGroups(row: readonly Piece[], page: PageGeometry): Piece[][] {
  const pieces = cutNumber(row, page)
  const last = pieces.length - 1
  const groups: Piece[][] = []
  for (const [i, piece] of pieces.entries()) {
    const before = pieces[i - 1]
    const isApart = !before || piece.box[0] - before.box[2] > togetherEm * piece.em || isNumberEnd(pieces, i, last) || isNumberEnd(pieces, i - 1, last)
    if (isApart) groups.push([piece])
    else groups.at(-1)?.push(piece)
  }
  return groups
}

/** The number at the right end is the page's; the one at the left only when there is none at the right. */
function isNumberEnd(pieces: readonly Piece[], at: number, last: number): boolean {
  if (at !== 0 && at !== last) return false
  if (!number.test(pieces[at]?.atom?.text ?? '')) return false
  return at === last || !number.test(pieces[last]?.atom?.text ?? '')
}

/** Splits a page number off a title that it stands close to. */
function cutNumber(row: readonly Piece[], page: PageGeometry): Piece[] {
  return row.flatMap((piece, i) => {
    const words = piece.atom?.words
    if (!piece.atom || !words || words.length < 2 || piece.atom.angle !== 0) return [piece]
    const boxes = words.map((index) => page.words[index])
    const [first, second, last, beforeLast] = [boxes[0], boxes[1], boxes.at(-1), boxes.at(-2)]
    const isApart = (a: typeof first, b: typeof first) => a !== undefined && b !== undefined && b.box[0] - a.box[2] > apartEm * piece.em
    if (i === row.length - 1 && last && number.test(last.text) && isApart(beforeLast, last)) return cut(piece, [words.slice(0, -1), words.slice(-1)], page)
    if (i === 0 && first && number.test(first.text) && isApart(first, second)) return cut(piece, [words.slice(0, 1), words.slice(1)], page)
    return [piece]
  })
}

const cut = (piece: Piece, groups: readonly (readonly number[])[], page: PageGeometry): Piece[] =>
  groups.map((words) => {
    const atom = wordsAtom(page, words)
    return atomPiece(atom, atom.box, atom.baseline, piece.rank)
  })
