import type { QuarterTurn } from '../../../schema/geometry.ts'
import type { FoundTable, PageGeometry } from '../page-geometry.ts'
import { layoutTable } from './layout-table.ts'
import { filledLattices, isGrid } from './ruled-tables.ts'
import { collectSegments } from './segments.ts'
import { turnOfAtom, viewPage } from './table-view.ts'

/** Fewer atoms of one direction than this make no table. */
const fewestAtoms = 4

/** Finds the tables of a page with their grids. */
export function findTables(page: PageGeometry): FoundTable[] {
  const tables: FoundTable[] = []
  const used = new Set<number>()
  for (const turn of turnsOf(page)) {
    const view = viewPage(page, turn)
    const segments = collectSegments(view)
    for (const { grid } of filledLattices(view, segments, used)) {
      if (!isGrid(grid)) continue
      const found = layoutTable(view, grid, 0)
      for (const atom of found.atoms) used.add(atom)
      tables.push(found)
    }
  }
  return tables.sort((a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0])
}

/** The turns that bring the page's writing upright, the most frequent first. */
function turnsOf(page: PageGeometry): QuarterTurn[] {
  const count = new Map<QuarterTurn, number>()
  for (const atom of page.atoms) {
    const turn = turnOfAtom(atom)
    if (turn !== undefined) count.set(turn, (count.get(turn) ?? 0) + 1)
  }
  return [...count]
    .filter(([, n]) => n >= fewestAtoms)
    .sort((a, b) => b[1] - a[1])
    .map(([turn]) => turn)
}
