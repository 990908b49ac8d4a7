import type { ModelTable } from '../../../../../schema/vlm-block.ts'
import { mostColumns, mostPlaces } from '../../../otsl/parse-otsl.ts'
import { isSeparatorRow, strictCells } from './markdown-row.ts'

/**
 * Reads a text that is a Markdown table and nothing else: two columns at least, a separator as second line, as many cells in each line. Undefined for
 * anything else, and for more than a table may hold.
 */
export function parseMarkdownTable(content: string): ModelTable | undefined {
  const lines = content.trim().split(/\r\n|[\r\n]/)
  const rows: string[][] = []
  for (const line of lines) {
    const cells = strictCells(line)
    if (!cells || cells.length !== (rows[0] ?? cells).length) return undefined
    rows.push(cells)
  }
  const [header, separator, ...body] = rows
  if (!header || !separator || !isSeparatorRow(separator)) return undefined
  if (header.length > mostColumns || header.length * rows.length > mostPlaces) return undefined
  const cells = [header, ...body].flatMap((texts, row) => texts.map((text, column) => ({ row, column, rowSpan: 1, columnSpan: 1, header: row === 0, text })))
  return { rows: body.length + 1, columns: header.length, cells }
}
