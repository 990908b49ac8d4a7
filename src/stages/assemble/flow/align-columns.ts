import type { TableCell } from '../../../schema/page.ts'

/** For each table where its columns begin in the joined one, and, last, how many that has. */
export interface ColumnAlignment {
  readonly above: readonly number[]
  readonly below: readonly number[]
}

/**
 * Columns for two tables of different widths whose rows at the seam have equally many cells: cell for cell the wider one sets the width, and the last
 * column of the narrower one takes what is over. Undefined where the cells do not match; a row of one cell matches anything, which says nothing.
 */
export function alignColumns(lastRow: readonly TableCell[], firstRow: readonly TableCell[]): ColumnAlignment | undefined {
  if (lastRow.length !== firstRow.length || lastRow.length < 2) return undefined
  const [above, below]: [number[], number[]] = [[], []]
  let at = 0
  for (const [i, cell] of lastRow.entries()) {
    const spans = [cell.columnSpan, firstRow[i]?.columnSpan ?? 1] as const
    for (let column = 0; column < spans[0]; column++) above.push(at + column)
    for (let column = 0; column < spans[1]; column++) below.push(at + column)
    at += Math.max(...spans)
  }
  return { above: [...above, at], below: [...below, at] }
}

/** The cell with its place among the columns of the joined table. */
export function aligned(cell: TableCell, starts: readonly number[]): TableCell {
  const column = starts[cell.column] ?? cell.column
  const end = starts[cell.column + cell.columnSpan] ?? column + cell.columnSpan
  return { ...cell, column, columnSpan: Math.max(1, end - column) }
}
