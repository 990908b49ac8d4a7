import type { PointBox } from '../../../schema/text-layer.ts'
import { columnCount } from './grid.ts'
import { atomsIn } from './ruled-tables.ts'
import type { Segments } from './segments.ts'
import type { TableView } from './table-view.ts'
import { type AlignedTable, alignBox, isAlignedTable } from './white-tables.ts'

export interface BoxedTable {
  readonly table: AlignedTable
  readonly box: PointBox
}

/** A header line stands at most so far above the first row, in em. */
const reachEm = 2.4
const mostLines = 3

/**
 * Takes in the lines right above a table that fall into its columns: column heads set so close that each line of them is
 * one run of words. A line that would change the columns, or stands over one of them only, is no part of it.
 */
export function withHeaderAbove(view: TableView, start: BoxedTable, segments: Segments, used: ReadonlySet<number>): BoxedTable {
  let best = start
  for (let line = 0; line < mostLines; line++) {
    const box = boxWithLineAbove(view, best, used)
    if (!box) break
    const table = alignBox(view, box, atomsIn(view, box, used), segments, false)
    if (!table || !isAlignedTable(table, false) || columnCount(table.aligned.grid) !== columnCount(best.table.aligned.grid)) break
    const first = table.aligned.lines[0]
    if (!first || first.cells.length < 2 || first.cells.some((cell) => cell.last > cell.first)) break
    best = { table, box }
  }
  return best
}

function boxWithLineAbove(view: TableView, { table, box }: BoxedTable, used: ReadonlySet<number>): PointBox | undefined {
  const first = table.aligned.lines[0]
  const em = first?.sizePt ?? 10
  const top = first?.y0 ?? box[1]
  let above = Number.NEGATIVE_INFINITY
  for (const atom of view.atoms) {
    const middle = (atom.box[1] + atom.box[3]) / 2
    if (!atom.own || used.has(atom.index) || middle >= top || middle < top - reachEm * em) continue
    if (atom.box[2] > box[0] && atom.box[0] < box[2]) above = Math.max(above, middle)
  }
  if (above === Number.NEGATIVE_INFINITY) return undefined
  let [x0, y0, x1] = [box[0], box[1], box[2]]
  for (const atom of view.atoms) {
    if (!atom.own || used.has(atom.index) || Math.abs((atom.box[1] + atom.box[3]) / 2 - above) > 0.4 * em) continue
    if (atom.box[2] <= box[0] || atom.box[0] >= box[2]) continue
    // A line that reaches beyond the table heads something else.
    if (atom.box[0] < box[0] - em || atom.box[2] > box[2] + em) return undefined
    x0 = Math.min(x0, atom.box[0])
    x1 = Math.max(x1, atom.box[2])
    y0 = Math.min(y0, atom.box[1])
  }
  return [x0, y0, x1, box[3]]
}
