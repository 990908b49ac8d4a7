import type { Table } from '../../../schema/page.ts'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escapeHtml = (text: string) => text.replace(/[&<>]/g, (c) => escapes[c] ?? c)

/** Rows of cells, each where it begins. */
export function rowsOf(table: Pick<Table, 'rows' | 'cells'>): Table['cells'][] {
  const rows: Table['cells'][] = Array.from({ length: table.rows }, () => [])
  for (const cell of table.cells) rows[cell.row]?.push(cell)
  for (const row of rows) row.sort((a, b) => a.column - b.column)
  return rows
}

/** A table as HTML in one line. */
export function tableHtml(table: Pick<Table, 'rows' | 'cells' | 'headerRows'>): string {
  const line = (row: Table['cells']) =>
    `<tr>${row
      .map((cell) => {
        const tag = cell.header ? 'th' : 'td'
        const spans = `${cell.rowSpan > 1 ? ` rowspan="${cell.rowSpan}"` : ''}${cell.columnSpan > 1 ? ` colspan="${cell.columnSpan}"` : ''}`
        return `<${tag}${spans}>${escapeHtml(cell.text)}</${tag}>`
      })
      .join('')}</tr>`
  return `<table>${rowsOf(table).map(line).join('')}</table>`
}

/** A table as plain text: a line a row, cells parted by tabs. */
export const tableText = (table: Pick<Table, 'rows' | 'cells'>): string =>
  rowsOf(table)
    .map((row) => row.map((cell) => cell.text.replace(/\s+/g, ' ')).join('\t'))
    .join('\n')

/** A pipe table; HTML when cells span. */
export function tableMarkdown(table: Table): string {
  if (table.cells.some((c) => c.rowSpan > 1 || c.columnSpan > 1)) return table.html
  const cell = (text: string) => text.replace(/\|/g, '\\|').replace(/\s+/g, ' ')
  const lines = rowsOf(table).map((row) => `| ${row.map((c) => cell(c.text)).join(' | ')} |`)
  const rule = `|${' --- |'.repeat(table.columns)}`
  return table.headerRows > 0 ? [lines[0], rule, ...lines.slice(1)].join('\n') : [`|${'  |'.repeat(table.columns)}`, rule, ...lines].join('\n')
}
