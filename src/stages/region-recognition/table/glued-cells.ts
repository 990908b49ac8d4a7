import type { TableCell } from '../../../schema/page.ts'
import { isFigure } from '../../../text/is-figure.ts'

/**
 * Cuts cells that the text finder saw as one piece over several columns: "12 34" over two columns is two figures.
 * Only a cell below the header whose text falls into as many figures as it covers columns is cut: words that span stay.
 */
export function splitGluedCells(cells: readonly TableCell[], fromPicture: (cell: TableCell) => boolean): TableCell[] {
  return cells.flatMap((cell) => {
    if (cell.columnSpan < 2 || cell.header || cell.rowSpan > 1 || !fromPicture(cell)) return [cell]
    const parts = cell.text.split(/\s+/u)
    if (parts.length !== cell.columnSpan || !parts.every((part) => isFigure(part))) return [cell]
    return parts.map((text, i) => ({ ...cell, column: cell.column + i, columnSpan: 1, text }))
  })
}
