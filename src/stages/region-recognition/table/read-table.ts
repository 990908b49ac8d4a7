import type { LayoutCell, LayoutLine, LayoutTable, Table, TableCell } from '../../../schema/page.ts'
import { tableHtml } from '../../table-html.ts'
import { splitGluedCells } from './glued-cells.ts'
import { headerRowsByText } from './read-headers.ts'
import { withoutEmptyRim } from './trim-table.ts'

/**
 * Reads the cells of a table. Rows and columns at the rim that hold nothing are dropped, cells of a picture that the text
 * finder glued are cut, and where the text comes from a picture the header is decided by it.
 *
 * @param textOf the running text of some printed lines of one cell.
 */
export function readTable(layout: LayoutTable, textOf: (lines: readonly LayoutLine[]) => string): Table {
  const cells = layout.cells.map((cell) => readCell(cell, textOf))
  const pictured = new Set(layout.cells.filter((cell) => cell.lines.some((line) => line.region !== undefined)).map(placeOf))
  const split = pictured.size > 0 ? splitGluedCells(cells, (cell) => pictured.has(placeOf(cell))) : cells
  const trimmed = withoutEmptyRim({ rows: layout.rows, columns: layout.columns, headerRows: layout.headerRows, cells: split })
  const byText = pictured.size > 0 && trimmed.headerRows === 0
  const headerRows = byText ? headerRowsByText(trimmed.cells, trimmed.rows, trimmed.columns) : trimmed.headerRows
  const marked = byText ? trimmed.cells.map((cell) => ({ ...cell, header: cell.row < headerRows })) : trimmed.cells
  return { rows: trimmed.rows, columns: trimmed.columns, headerRows, html: tableHtml(marked, trimmed.rows, headerRows), cells: marked }
}

const placeOf = (cell: { readonly row: number; readonly column: number }): string => `${cell.row} ${cell.column}`

function readCell(cell: LayoutCell, textOf: (lines: readonly LayoutLine[]) => string): TableCell {
  const { row, column, rowSpan, columnSpan, header } = cell
  return { row, column, rowSpan, columnSpan, header, text: cell.lines.length > 0 ? textOf(cell.lines).trim() : '' }
}
