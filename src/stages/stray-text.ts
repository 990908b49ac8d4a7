import { tableText } from '../text/table-text.ts'

/** What stands in a table's text below its rows: words in its box that no cell took. */
export function strayText(table: Parameters<typeof tableText>[0], text: string): string {
  const rows = tableText(table)
  if (text === rows || !text.startsWith(rows)) return ''
  return text.slice(rows.length).trim()
}
