import type { Bit } from './table-view.ts'

/** A cell of a grid under construction. */
export interface GridCell {
  row: number
  column: number
  rowSpan: number
  columnSpan: number
  bits: Bit[]
}

/**
 * A table in the frame of its view. `xs` and `ys` are the borders of columns and rows in points
 * (one more than there are columns and rows); cells tile the grid: every place is covered exactly once.
 */
export interface Grid {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
  readonly cells: readonly GridCell[]
  /** Ruling lines, not only white, decided the grid. */
  readonly ruled: boolean
}

export const rowCount = (grid: Grid): number => grid.ys.length - 1
export const columnCount = (grid: Grid): number => grid.xs.length - 1

/**
 * Completes cells to a tiling: places that no cell covers get an empty cell of their own, a cell that runs into one
 * placed before it is cut back. Cells come back sorted by row and column.
 */
export function tile(rows: number, columns: number, cells: readonly GridCell[]): GridCell[] {
  const taken = new Uint8Array(rows * columns)
  const tiled: GridCell[] = []
  const sorted = [...cells].sort((a, b) => a.row - b.row || a.column - b.column)
  for (const cell of sorted) {
    if (taken[cell.row * columns + cell.column] === 1) {
      mergeInto(tiled, cell)
      continue
    }
    let columnSpan = 1
    while (columnSpan < cell.columnSpan && cell.column + columnSpan < columns && taken[cell.row * columns + cell.column + columnSpan] === 0) columnSpan++
    let rowSpan = 1
    while (rowSpan < cell.rowSpan && cell.row + rowSpan < rows && isFree(taken, columns, cell.row + rowSpan, cell.column, columnSpan)) rowSpan++
    for (let r = cell.row; r < cell.row + rowSpan; r++) taken.fill(1, r * columns + cell.column, r * columns + cell.column + columnSpan)
    tiled.push({ ...cell, rowSpan, columnSpan })
  }
  for (let i = 0; i < taken.length; i++) {
    if (taken[i] === 0) tiled.push({ row: Math.floor(i / columns), column: i % columns, rowSpan: 1, columnSpan: 1, bits: [] })
  }
  return tiled.sort((a, b) => a.row - b.row || a.column - b.column)
}

function isFree(taken: Uint8Array, columns: number, row: number, column: number, span: number): boolean {
  for (let c = column; c < column + span; c++) if (taken[row * columns + c] !== 0) return false
  return true
}

/** Two cells claim one place: what they hold goes to the first. */
function mergeInto(tiled: readonly GridCell[], cell: GridCell): void {
  const owner = tiled.find((t) => covers(t, cell.row, cell.column))
  owner?.bits.push(...cell.bits)
}

export const covers = (cell: GridCell, row: number, column: number): boolean =>
  row >= cell.row && row < cell.row + cell.rowSpan && column >= cell.column && column < cell.column + cell.columnSpan

/** Removes rows and columns in which no cell begins with content at the rim of the table: frames and margins around it. */
export function trimGrid(grid: Grid): Grid {
  let trimmed = grid
  for (let guard = 0; guard < 64; guard++) {
    const rows = rowCount(trimmed)
    const columns = columnCount(trimmed)
    const emptyAt = (test: (cell: GridCell) => boolean) => trimmed.cells.every((cell) => !test(cell) || cell.bits.length === 0)
    if (rows > 1 && emptyAt((c) => c.row === 0)) trimmed = withoutRow(trimmed, 0)
    else if (rows > 1 && emptyAt((c) => c.row + c.rowSpan === rows)) trimmed = withoutRow(trimmed, rows - 1)
    else if (columns > 1 && emptyAt((c) => c.column === 0)) trimmed = withoutColumn(trimmed, 0)
    else if (columns > 1 && emptyAt((c) => c.column + c.columnSpan === columns)) trimmed = withoutColumn(trimmed, columns - 1)
    else return trimmed
  }
  return trimmed
}

/** The grid without one row; cells that span it shrink, cells only in it vanish with what they hold. */
export function withoutRow(grid: Grid, row: number): Grid {
  const cells: GridCell[] = []
  for (const cell of grid.cells) {
    if (cell.row === row && cell.rowSpan === 1) continue
    const inside = row >= cell.row && row < cell.row + cell.rowSpan
    cells.push({ ...cell, row: cell.row > row ? cell.row - 1 : cell.row, rowSpan: inside ? cell.rowSpan - 1 : cell.rowSpan })
  }
  return { ...grid, ys: dropBorder(grid.ys, row), cells }
}

export function withoutColumn(grid: Grid, column: number): Grid {
  const cells: GridCell[] = []
  for (const cell of grid.cells) {
    if (cell.column === column && cell.columnSpan === 1) continue
    const inside = column >= cell.column && column < cell.column + cell.columnSpan
    cells.push({ ...cell, column: cell.column > column ? cell.column - 1 : cell.column, columnSpan: inside ? cell.columnSpan - 1 : cell.columnSpan })
  }
  return { ...grid, xs: dropBorder(grid.xs, column), cells }
}

/** Without the first band its upper border goes, else its lower one. */
const dropBorder = (borders: readonly number[], band: number): number[] => borders.filter((_, i) => i !== (band === 0 ? 0 : band + 1))
