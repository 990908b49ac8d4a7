import type { ViewAtom } from './table-view.ts'

/** Running text is at least this long, in em. */
const shortestEm = 12

/**
 * Which atoms are running text: long lines close over each other that end near the same place, and the short lines that
 * begin or end such a paragraph. Cells of a column begin at one place too, but end where their words end.
 */
export function proseAtoms(atoms: readonly ViewAtom[]): Set<ViewAtom> {
  const sorted = [...atoms].sort((a, b) => a.baseline - b.baseline)
  const prose = new Set<ViewAtom>()
  const pairs: [ViewAtom, ViewAtom][] = []
  for (const [i, atom] of sorted.entries()) {
    for (let next = i + 1; next < sorted.length && next < i + 40; next++) {
      const below = sorted[next]
      if (!below || below.baseline - atom.baseline > 1.9 * atom.sizePt) break
      if (below.baseline - atom.baseline < 0.7 * atom.sizePt || Math.abs(below.box[0] - atom.box[0]) > 3 * atom.sizePt) continue
      pairs.push([atom, below])
      if (isLong(atom) && isLong(below) && Math.abs(below.box[2] - atom.box[2]) < 3.5 * atom.sizePt) prose.add(atom).add(below)
    }
  }
  // First and last lines; two rounds reach a short line under a short one.
  for (let round = 0; round < 2; round++) {
    for (const [above, below] of pairs) {
      if (prose.has(above) && !prose.has(below) && below.box[2] <= above.box[2] + above.sizePt && isAlone(below, above, sorted)) prose.add(below)
      if (prose.has(below) && !prose.has(above) && above.box[2] <= below.box[2] + below.sizePt && isAlone(above, below, sorted)) prose.add(above)
    }
  }
  return prose
}

const isLong = (atom: ViewAtom): boolean => atom.box[2] - atom.box[0] > shortestEm * atom.sizePt

/** Nothing else stands on its line within the width of the paragraph. */
function isAlone(atom: ViewAtom, paragraph: ViewAtom, sorted: readonly ViewAtom[]): boolean {
  return !sorted.some(
    (other) =>
      other !== atom && Math.abs(other.baseline - atom.baseline) < 0.5 * atom.sizePt && other.box[0] < paragraph.box[2] && other.box[2] > paragraph.box[0],
  )
}
