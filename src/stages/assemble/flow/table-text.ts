import type { Table } from '../../../schema/page.ts'

/** A table as plain text, as its page writes it: a line a row, cells apart by tabs, a spanning cell once. */
export function tableText(table: Pick<Table, 'rows' | 'cells'>): string {
  const rows: string[][] = Array.from({ length: table.rows }, () => [])
  for (const cell of table.cells) rows[cell.row]?.push(cell.text.replace(/\s+/gu, ' '))
  return rows
    .map((row) => row.join('\t').trimEnd())
    .filter((row) => row !== '')
    .join('\n')
}

/** What stands in a table's text below its rows: words in its box that no cell took. */
export function strayText(table: Pick<Table, 'rows' | 'cells'>, text: string): string {
  const rows = tableText(table)
  if (text === rows || !text.startsWith(rows)) return ''
  return text.slice(rows.length).trim()
}
