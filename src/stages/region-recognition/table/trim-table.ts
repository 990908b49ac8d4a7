import type { TableCell } from '../../../schema/page.ts'

export interface CellGrid {
  readonly rows: number
  readonly columns: number
  readonly headerRows: number
  readonly cells: readonly TableCell[]
}

/** Drops rows and columns at the rim that hold no text; one place at least stays. */
export function withoutEmptyRim(grid: CellGrid): { rows: number; columns: number; headerRows: number; cells: TableCell[] } {
  const filled = grid.cells.filter((cell) => cell.text !== '')
  if (filled.length === 0) return { ...grid, cells: [...grid.cells] }
  // A row holds something when a filled cell begins or ends in it; a cell that spans it does not fill it.
  const top = Math.min(...filled.map((cell) => cell.row))
  const bottom = Math.max(...filled.map((cell) => cell.row + cell.rowSpan))
  const left = Math.min(...filled.map((cell) => cell.column))
  const right = Math.max(...filled.map((cell) => cell.column + cell.columnSpan))
  const cells: TableCell[] = []
  for (const cell of grid.cells) {
    const row = Math.max(cell.row, top)
    const column = Math.max(cell.column, left)
    const rowSpan = Math.min(cell.row + cell.rowSpan, bottom) - row
    const columnSpan = Math.min(cell.column + cell.columnSpan, right) - column
    if (rowSpan > 0 && columnSpan > 0) cells.push({ ...cell, row: row - top, column: column - left, rowSpan, columnSpan })
  }
  const rows = bottom - top
  return { rows, columns: right - left, headerRows: Math.min(rows, Math.max(0, grid.headerRows - top)), cells }
}
