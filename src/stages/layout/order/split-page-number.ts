import { wordsAtom } from '../atoms/atoms-from-words.ts'
import type { Atom, PageGeometry } from '../page-geometry.ts'
import { atomPiece, type Piece } from './piece.ts'

const number = /^(?:\d{1,6}|[ivxlc]{1,6})$/
/** White that sets a page number apart from a running title, in em: wider than a space, narrower than what cuts a line. */
const apartEm = 0.9

/** A running title and a page number that stand closer than columns do, as two pieces. Upright lines only. */
export function splitPageNumber(piece: Piece, page: PageGeometry): Piece[] {
  const words = piece.atom?.words
  if (!piece.atom || !words || words.length < 2 || piece.atom.angle !== 0) return [piece]
  const boxes = words.map((index) => page.words[index])
  const [first, second, last, beforeLast] = [boxes[0], boxes[1], boxes.at(-1), boxes.at(-2)]
  if (first && second && number.test(first.text) && second.box[0] - first.box[2] > apartEm * piece.em) return cut(piece, [words.slice(0, 1), words.slice(1)], page)
  if (last && beforeLast && number.test(last.text) && last.box[0] - beforeLast.box[2] > apartEm * piece.em) return cut(piece, [words.slice(0, -1), words.slice(-1)], page)
  return [piece]
}

const cut = (piece: Piece, groups: readonly (readonly number[])[], page: PageGeometry): Piece[] =>
  groups.map((words) => {
    const atom: Atom = wordsAtom(page, words)
    return atomPiece(atom, atom.box, atom.baseline, piece.rank)
  })
