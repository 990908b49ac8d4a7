import type { Table, TableCell } from '../../../schema/page.ts'
import { textHtml } from './escape-html.ts'

/** Grids up to this many places get cells for places that no cell covers. */
const largestFilledGrid = 50_000

/** A table rebuilt from its cells; the HTML that a reader gave is never used. */
export function tableHtml({ rows, columns, headerRows, cells }: Table): string {
  const byRow = new Map<number, TableCell[]>()
  for (const cell of withoutGaps(rows, columns, cells)) {
    const row = byRow.get(cell.row)
    if (row) row.push(cell)
    else byRow.set(cell.row, [cell])
  }
  const body = [...byRow.entries()]
    .sort(([a], [b]) => a - b)
    .map(
      ([, row]) =>
        `<tr>${row
          .sort((a, b) => a.column - b.column)
          .map((cell) => cellHtml(cell, rows, columns, headerRows))
          .join('')}</tr>`,
    )
  return `<div class="wide"><table>${body.join('\n')}</table></div>`
}

function cellHtml({ row, column, rowSpan, columnSpan, header, text }: TableCell, rows: number, columns: number, headerRows: number): string {
  const down = Math.min(rowSpan, Math.max(1, rows - row))
  const across = Math.min(columnSpan, Math.max(1, columns - column))
  const spans = (down > 1 ? ` rowspan="${down}"` : '') + (across > 1 ? ` colspan="${across}"` : '')
  const content = text === '' ? '' : `<bdi>${textHtml(text)}</bdi>`
  if (!header || text === '') return `<td${spans}>${content}</td>` // an empty header names nothing
  return `<th scope="${row < headerRows ? 'col' : 'row'}"${spans}>${content}</th>`
}

/** The cells and an empty one for every place that none covers: a browser would move the cells behind a gap into it. */
function withoutGaps(rows: number, columns: number, cells: readonly TableCell[]): readonly TableCell[] {
  if (rows * columns > largestFilledGrid) return cells
  const covered = new Uint8Array(rows * columns)
  for (const { row, column, rowSpan, columnSpan } of cells) {
    for (let y = row; y < Math.min(rows, row + rowSpan); y++) for (let x = column; x < Math.min(columns, column + columnSpan); x++) covered[y * columns + x] = 1
  }
  const gaps: TableCell[] = []
  for (const [place, taken] of covered.entries()) {
    if (!taken) gaps.push({ row: Math.floor(place / columns), column: place % columns, rowSpan: 1, columnSpan: 1, header: false, text: '' })
  }
  return gaps.length === 0 ? cells : [...cells, ...gaps]
}
