import { mapFormulas } from '../runtime/vlm/formulas/formula-spans.ts'
import type { Table } from '../schema/page.ts'
import { escapeMarkdown } from '../text/markdown-escape.ts'
import { formulaSpan } from '../text/markdown-formula.ts'
import { formulaMarkdown } from './formula-markdown.ts'

export interface TableMarkdownOptions {
  /** Whether `\( … \)` in its cells is a formula, as a model writes it. */
  readonly formulas: boolean
}

/**
 * A pipe table where Markdown can say it: one header row, no spans. Else the HTML table, which Markdown allows as a block.
 * In a pipe table pipes are escaped and line breaks become `<br>`. Formulas stand between dollar signs.
 */
export function tableToMarkdown(table: Table, options: TableMarkdownOptions = { formulas: false }): string {
  const spans = table.cells.some((cell) => cell.rowSpan > 1 || cell.columnSpan > 1)
  if (spans || table.headerRows !== 1) return options.formulas ? mapCellFormulas(table.html, formulaSpan) : table.html
  const grid = Array.from({ length: table.rows }, () => new Array<string>(table.columns).fill(''))
  for (const cell of table.cells) {
    const row = grid[cell.row]
    if (row && cell.column < row.length) row[cell.column] = pipeText(cell.text, options)
  }
  const lines = grid.map((row) => `| ${row.join(' | ')} |`)
  lines.splice(1, 0, `|${' --- |'.repeat(table.columns)}`)
  return lines.join('\n')
}

/** The HTML of a table with the formulas of its cells, each by itself, as `rewrite` has them. */
export const mapCellFormulas = (html: string, rewrite: (latex: string) => string): string => html.replace(/>[^<>]+</g, (text) => mapFormulas(text, rewrite))

function pipeText(text: string, { formulas }: TableMarkdownOptions): string {
  const markdown = formulas ? formulaMarkdown(text.trim(), { inTable: true }) : escapeMarkdown(text.trim(), { lineStart: false, inTable: true })
  return markdown.replace(/\s*\r?\n\s*/g, '<br>')
}
