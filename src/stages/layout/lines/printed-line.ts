import type { PointBox, TextStyle } from '../../../schema/text-layer.ts'
import { isRightToLeft } from '../../../text/script.ts'
import { StyleTally } from '../../style-tally.ts'
import type { Piece } from '../order/piece.ts'
import type { Atom, PageGeometry } from '../page-geometry.ts'

/** A line as a reader sees it: all atoms of one column on one baseline, in reading order. */
export interface PrintedLine {
  /** In the frame in which lines run left to right. */
  readonly box: PointBox
  readonly baseline: number
  readonly em: number
  /** Smallest and largest size of at least a tenth of the characters. */
  readonly sizes: readonly [smallest: number, largest: number]
  readonly atoms: readonly Atom[]
  /** Where each atom stands, in the frame. */
  readonly places: readonly PointBox[]
  /** Empty for lines that are still to be read from the picture. */
  readonly text: string
  /** Of most characters; absent for a region. */
  readonly style?: TextStyle
  /** Shares of the characters, 0..1. */
  readonly bold: number
  readonly italic: number
  readonly monospace: number
  readonly symbolic: number
  readonly chars: number
  readonly rightToLeft: boolean
}

/** @param pieces on one baseline, from left to right, at least one, each with an atom. */
export function printedLine(pieces: readonly Piece[], page: PageGeometry): PrintedLine {
  const plain = pieces.map((p) => p.atom?.text ?? '').join(' ')
  // Hebrew begins at U+0590: most lines need no closer look.
  const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufeff]/.test(plain) && isRightToLeft(plain)
  const inOrder = rightToLeft ? [...pieces].reverse() : pieces
  const atoms = inOrder.flatMap((p) => (p.atom ? [p.atom] : []))
  const look = countLook(atoms, page)
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { box } of pieces) {
    x0 = Math.min(x0, box[0])
    y0 = Math.min(y0, box[1])
    x1 = Math.max(x1, box[2])
    y1 = Math.max(y1, box[3])
  }
  const main = longest(pieces)
  return {
    box: [x0, y0, x1, y1],
    baseline: main?.baseline ?? y1,
    em: main?.em ?? 10,
    atoms,
    places: inOrder.map((p) => p.box),
    text: rightToLeft ? atoms.map((a) => a.text).join(' ') : plain,
    ...(main?.atom?.style ? { style: main.atom.style } : {}),
    ...look,
    rightToLeft,
  }
}

function longest(pieces: readonly Piece[]): Piece | undefined {
  let best = pieces[0]
  for (const piece of pieces) if ((piece.atom?.text.length ?? 0) > (best?.atom?.text.length ?? 0)) best = piece
  return best
}

function countLook(atoms: readonly Atom[], page: PageGeometry): Pick<PrintedLine, 'bold' | 'italic' | 'monospace' | 'symbolic' | 'chars' | 'sizes'> {
  const tally = new StyleTally()
  for (const atom of atoms) {
    if (!atom.words) continue
    for (const index of atom.words) {
      const word = page.words[index]
      if (word && !word.raised) tally.add(word.style, word.text.length)
    }
  }
  const sizes = new Map<number, number>()
  let [chars, bold, italic, monospace, symbolic] = [0, 0, 0, 0, 0]
  for (const [index, length] of tally.entries()) {
    const style = page.styles[index]
    if (!style) continue
    chars += length
    sizes.set(style.sizePt, (sizes.get(style.sizePt) ?? 0) + length)
    if (style.bold) bold += length
    if (style.italic) italic += length
    if (style.monospace) monospace += length
    if (style.symbolic) symbolic += length
  }
  const all = Math.max(1, chars)
  const common = [...sizes].filter(([, count]) => count >= 0.1 * chars).map(([size]) => size)
  const main = atoms[0]?.sizePt ?? 10
  return {
    sizes: common.length > 0 ? [Math.min(...common), Math.max(...common)] : [main, main],
    chars,
    bold: bold / all,
    italic: italic / all,
    monospace: monospace / all,
    symbolic: symbolic / all,
  }
}
