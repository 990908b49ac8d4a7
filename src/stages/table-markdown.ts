import type { Table } from '../schema/page.ts'
import { escapeMarkdown } from '../text/markdown-escape.ts'

/**
 * A pipe table where Markdown can say it: one header row, no spans. Else the HTML table, which Markdown allows as a block.
 * In a pipe table pipes are escaped and line breaks become `<br>`.
 */
export function tableToMarkdown(table: Table): string {
  const spans = table.cells.some((cell) => cell.rowSpan > 1 || cell.columnSpan > 1)
  if (spans || table.headerRows !== 1) return table.html
  const grid = Array.from({ length: table.rows }, () => new Array<string>(table.columns).fill(''))
  for (const cell of table.cells) {
    const row = grid[cell.row]
    if (row && cell.column < row.length) row[cell.column] = pipeText(cell.text)
  }
  const lines = grid.map((row) => `| ${row.join(' | ')} |`)
  lines.splice(1, 0, `|${' --- |'.repeat(table.columns)}`)
  return lines.join('\n')
}

const pipeText = (text: string): string => escapeMarkdown(text.trim(), { lineStart: false, inTable: true }).replace(/\s*\r?\n\s*/g, '<br>')
