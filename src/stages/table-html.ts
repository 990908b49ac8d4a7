import type { TableCell } from '../schema/page.ts'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? char)

/** The table as HTML on one line: header rows in `thead`, the rest in `tbody`; line breaks inside cells as `br`. */
export function tableHtml(cells: readonly TableCell[], rows: number, headerRows: number): string {
  const byRow: TableCell[][] = Array.from({ length: rows }, () => [])
  for (const cell of cells) byRow[cell.row]?.push(cell)
  const lines = byRow.map((row) => `<tr>${row.map(cellHtml).join('')}</tr>`)
  const head = headerRows > 0 ? `<thead>${lines.slice(0, headerRows).join('')}</thead>` : ''
  const body = headerRows < rows ? `<tbody>${lines.slice(headerRows).join('')}</tbody>` : ''
  return `<table>${head}${body}</table>`
}

function cellHtml(cell: TableCell): string {
  const tag = cell.header ? 'th' : 'td'
  const down = cell.rowSpan > 1 ? ` rowspan="${cell.rowSpan}"` : ''
  const across = cell.columnSpan > 1 ? ` colspan="${cell.columnSpan}"` : ''
  return `<${tag}${down}${across}>${escapeHtml(cell.text).replace(/\r?\n/g, '<br>')}</${tag}>`
}
