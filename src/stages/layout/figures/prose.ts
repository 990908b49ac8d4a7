import type { PageGeometry } from '../page-geometry.ts'

/** A line of running text is at least this long, in em: labels of a drawing are shorter. */
const shortestLineEm = 13

/**
 * Which atoms are lines of running text: long, with another long line close above or below that begins or ends at the
 * same place. A picture may overlap such lines with its transparent margin, but never owns them.
 */
export function proseAtoms(page: PageGeometry): Set<number> {
  const prose = new Set<number>()
  for (const edge of [0, 2] as const) {
    const sorted = page.atoms
      .map((atom, i) => ({ atom, i }))
      .filter(({ atom }) => atom.words !== undefined && atom.box[2] - atom.box[0] > shortestLineEm * atom.sizePt)
      .sort((a, b) => a.atom.baseline - b.atom.baseline)
    for (const [at, { atom, i }] of sorted.entries()) {
      for (let next = at + 1; next < sorted.length && next < at + 12; next++) {
        const other = sorted[next]
        if (!other || other.atom.baseline - atom.baseline > 1.8 * atom.sizePt) break
        if (other.atom.baseline - atom.baseline < 0.7 * atom.sizePt || Math.abs(other.atom.box[edge] - atom.box[edge]) > 2.5) continue
        prose.add(i)
        prose.add(other.i)
      }
    }
  }
  return prose
}
