import type { Table } from '../schema/page.ts'
import type { ModelTable } from '../schema/vlm-block.ts'
import { tableHtml } from './table-html.ts'

/** The table of a model as that of a page result. */
export function modelTable({ rows, columns, cells }: ModelTable): Table {
  let headerRows = 0
  while (headerRows < rows && cells.some((cell) => cell.row === headerRows) && cells.every((cell) => cell.row !== headerRows || cell.header)) headerRows++
  const own = cells.map((cell) => ({ ...cell }))
  return { rows, columns, headerRows, html: tableHtml(own, rows, headerRows), cells: own }
}
