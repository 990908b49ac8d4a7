import type { TableCell } from '../../../schema/page.ts'

/** For each row of a table, and for its end, how many of those before it are taken out. */
export function droppedBefore(rows: number, dropped: ReadonlySet<number>): readonly number[] {
  const before = [0]
  for (let row = 0; row < rows; row++) before.push((before[row] ?? 0) + (dropped.has(row) ? 1 : 0))
  return before
}

/** Takes rows out of a table, in place: cells below move up, cells that reach into one of the rows get shorter, those that stand in no other row go. */
export function dropRows(cells: readonly TableCell[], before: readonly number[]): TableCell[] {
  return cells.filter((cell) => {
    const above = before[cell.row] ?? 0
    cell.rowSpan -= (before[cell.row + cell.rowSpan] ?? above) - above
    cell.row -= above
    return cell.rowSpan > 0
  })
}
