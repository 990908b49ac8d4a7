import { turnBox, turnSize } from '../../../geometry/turn.ts'
import type { QuarterTurn } from '../../../schema/geometry.ts'
import type { Fill, PointBox, Rule } from '../../../schema/text-layer.ts'
import type { Atom, PageGeometry } from '../page-geometry.ts'

/** The smallest thing that a cell can hold: a word of the text layer, or a whole region of a scan. */
export interface Bit {
  readonly box: PointBox
  readonly baseline: number
  readonly sizePt: number
  /** Index of the atom it belongs to, in `PageGeometry.atoms`. */
  readonly atom: number
  /** Index of the word; -1 for a region. */
  readonly word: number
  /** Empty for a region. */
  readonly text: string
  /** White wider than this, in points, is no space between words. */
  readonly spaceTo: number
}

/** Spaces are about a quarter of an em wide, and wider in justified lines; those of a typewriter font are three fifths. */
const [spaceEm, monospaceEm] = [0.5, 0.95]

/** An atom in the frame in which its table reads left to right. */
export interface ViewAtom {
  readonly index: number
  readonly box: PointBox
  readonly baseline: number
  readonly sizePt: number
  /** Whether it reads left to right in this frame; others (turned headers) only fill cells. */
  readonly own: boolean
  readonly text: string
}

/** The page turned so that writing of one direction is upright. Points, origin top-left. */
export interface TableView {
  readonly page: PageGeometry
  /** Clockwise turn that was applied to the page. */
  readonly turn: QuarterTurn
  readonly width: number
  readonly height: number
  readonly atoms: readonly ViewAtom[]
  readonly rules: readonly Rule[]
  readonly fills: readonly Fill[]
  readonly pictures: readonly PointBox[]
  readonly drawings: readonly PointBox[]
}

/** Text within so many degrees of a quarter turn counts as lying on it. */
const angleTolerance = 12

/** The clockwise turn of the page that brings an atom upright; undefined for slanted and vertical writing. */
export function turnOfAtom(atom: Atom): QuarterTurn | undefined {
  if (atom.vertical) return undefined
  for (const turn of [0, 90, 180, 270] as const) {
    const rest = Math.abs(((atom.angle + turn + 180) % 360) - 180)
    if (rest <= angleTolerance) return turn
  }
  return undefined
}

/** The page as seen by tables whose atoms need `turn`. */
export function viewPage(page: PageGeometry, turn: QuarterTurn): TableView {
  const size = turnSize(page.width, page.height, turn)
  const turned = (box: PointBox): PointBox => (turn === 0 ? box : turnBox(box, page.width, page.height, turn))
  const atoms = page.atoms.map((atom, index): ViewAtom => {
    const box = turned(atom.box)
    return {
      index,
      box,
      baseline: turn === 0 ? atom.baseline : box[3] - (box[3] - box[1]) / 5,
      sizePt: atom.sizePt,
      own: turnOfAtom(atom) === turn,
      text: atom.text,
    }
  })
  return {
    page,
    turn,
    ...size,
    atoms,
    rules: turn === 0 ? page.rules : page.rules.map((rule) => turnRule(rule, page, turn)),
    fills: turn === 0 ? page.fills : page.fills.map((fill) => ({ ...fill, box: turned(fill.box) })),
    pictures: page.pictures.map((picture) => turned(picture.box)),
    drawings: turn === 0 ? page.drawings : page.drawings.map(turned),
  }
}

/** Back to the frame of the page. */
export const toPageBox = (view: TableView, box: PointBox): PointBox =>
  view.turn === 0 ? box : turnBox(box, view.width, view.height, ((360 - view.turn) % 360) as QuarterTurn)

/** The bits of an atom in reading order. */
export function bitsOfAtom(view: TableView, atom: ViewAtom): Bit[] {
  const source = view.page.atoms[atom.index]
  const words = source?.words
  const spaceTo = (source?.style?.monospace ? monospaceEm : spaceEm) * Math.max(1, atom.sizePt)
  if (!words) return [{ box: atom.box, baseline: atom.baseline, sizePt: atom.sizePt, atom: atom.index, word: -1, text: '', spaceTo }]
  const bits: Bit[] = []
  for (const index of words) {
    const word = view.page.words[index]
    if (!word) continue
    const box = view.turn === 0 ? word.box : turnBox(word.box, view.page.width, view.page.height, view.turn)
    bits.push({ box, baseline: atom.baseline, sizePt: atom.sizePt, atom: atom.index, word: index, text: word.text, spaceTo })
  }
  return bits
}

function turnRule(rule: Rule, page: PageGeometry, turn: QuarterTurn): Rule {
  const flat = rule.direction === 'horizontal'
  const box: PointBox = flat ? [rule.from, rule.at, rule.to, rule.at] : [rule.at, rule.from, rule.at, rule.to]
  const [x0, y0, x1, y1] = turnBox(box, page.width, page.height, turn)
  const nowFlat = flat === (turn === 180)
  return nowFlat
    ? { direction: 'horizontal', at: y0, from: x0, to: x1, thickness: rule.thickness }
    : { direction: 'vertical', at: x0, from: y0, to: y1, thickness: rule.thickness }
}
