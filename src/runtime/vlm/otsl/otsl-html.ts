import type { ModelCell, ModelTable } from '../../../schema/vlm-block.ts'
import { mapFormulas } from '../formulas/formula-spans.ts'

export interface OtslHtmlOptions {
  /** `\( … \)` and `\[ … \]` become `<eq>…</eq>`. */
  readonly formulas: boolean
}

/**
 * A table as MinerU prints it: no white space, `rowspan` before `colspan`, both only over 1, a row for each row of the grid even where cells from above
 * cover it. Everything in a cell is escaped, so that no word of a model becomes markup.
 */
export function otslHtml(table: ModelTable, options: OtslHtmlOptions): string {
  const rows: string[] = new Array(table.rows).fill('')
  for (const cell of table.cells) rows[cell.row] += cellHtml(cell, options)
  return `<table>${rows.map((cells) => `<tr>${cells}</tr>`).join('')}</table>`
}

function cellHtml(cell: ModelCell, options: OtslHtmlOptions): string {
  const name = cell.header ? 'th' : 'td'
  const spans = span('rowspan', cell.rowSpan) + span('colspan', cell.columnSpan)
  const text = escaped(cell.text)
  return `<${name}${spans}>${options.formulas ? mapFormulas(text, (inner) => `<eq>${inner.trim()}</eq>`) : text}</${name}>`
}

const span = (name: string, length: number): string => (length > 1 ? ` ${name}="${length}"` : '')

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? char)
