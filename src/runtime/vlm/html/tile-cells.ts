import type { ModelCell, ModelTable } from '../../../schema/vlm-block.ts'

/** A cell as it is written in its row, before it has a place. Spans of 0 run to the end of the table. */
export interface WrittenCell {
  readonly rowSpan: number
  readonly columnSpan: number
  readonly header: boolean
  readonly text: string
}

/** What a table may grow to, whatever is written: rows, columns, and places altogether, empty ones included. */
export const tableBounds = { rows: 2_000, columns: 256, places: 65_536 } as const

/**
 * Gives each cell its place, as browsers do: the next one of its row that no cell from above reaches into. Spans are cut at the edge of the table
 * and at cells that are there already; columns and rows that no cell begins in are not made; places that nobody covers become empty cells.
 * So every place is covered exactly once. What exceeds the bounds is left out.
 */
export function tileCells(written: readonly (readonly WrittenCell[])[]): ModelTable | undefined {
  const rows = written.slice(0, tableBounds.rows)
  const mostColumns = Math.min(tableBounds.columns, Math.floor(tableBounds.places / Math.max(1, rows.length)))
  const freeFrom = new Array<number>(mostColumns).fill(0)
  const placed: ModelCell[] = []
  let row = 0
  for (const cells of rows) {
    if (cells.length === 0 && !freeFrom.some((from) => from > row)) continue
    placeRow(cells, row, freeFrom, placed)
    row++
  }
  return row === 0 || placed.length === 0 ? undefined : closeGrid(placed, row)
}

/** `freeFrom`: for each column, the first row that no cell reaches into. */
function placeRow(cells: readonly WrittenCell[], row: number, freeFrom: number[], placed: ModelCell[]): void {
  let column = 0
  const isFree = (at: number): boolean => (freeFrom[at] ?? Infinity) <= row
  for (const { rowSpan, columnSpan, header, text } of cells) {
    while (column < freeFrom.length && !isFree(column)) column++
    if (column >= freeFrom.length) return
    const reach = rowSpan === 0 ? tableBounds.rows : rowSpan
    const widest = columnSpan === 0 ? freeFrom.length : columnSpan
    let width = 0
    while (width < widest && isFree(column + width)) freeFrom[column + width++] = row + reach
    placed.push({ row, column, rowSpan: reach, columnSpan: width, header, text })
    column += width
  }
}

function closeGrid(placed: readonly ModelCell[], rows: number): ModelTable {
  const columns = placed.reduce((most, { column }) => Math.max(most, column + 1), 0)
  const covered = new Uint8Array(rows * columns)
  const cells = placed.map((cell) => {
    const rowSpan = Math.min(cell.rowSpan, rows - cell.row)
    const columnSpan = Math.min(cell.columnSpan, columns - cell.column)
    for (let y = cell.row; y < cell.row + rowSpan; y++) covered.fill(1, y * columns + cell.column, y * columns + cell.column + columnSpan)
    return { ...cell, rowSpan, columnSpan }
  })
  for (let at = 0; at < covered.length; at++) {
    if (covered[at] === 1) continue
    cells.push({ row: Math.floor(at / columns), column: at % columns, rowSpan: 1, columnSpan: 1, header: false, text: '' })
  }
  cells.sort((a, b) => a.row - b.row || a.column - b.column)
  return { rows, columns, cells }
}
