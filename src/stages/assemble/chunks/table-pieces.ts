import type { Table, TableCell } from '../../../schema/page.ts'
import { tableHtml } from '../../table-html.ts'
import { type TableMarkdownOptions, tableToMarkdown } from '../../table-markdown.ts'
import { estimateTokens } from './token-estimate.ts'

/** Rows of a table that make one piece: the header, where repeated, and rows `[from, to)`. */
export interface TablePiece {
  readonly text: string
  readonly markdown: string
  readonly tokens: number
  readonly from: number
  readonly to: number
}

/**
 * Cuts a table between rows into pieces of at most `budget` tokens, the header repeated in each. Rows that a cell
 * spans stay together where they fit. A row over the budget is a piece of its own: rows are never cut.
 * `reserved` tokens of the first piece are kept free, for a caption.
 */
export function tablePieces(table: Table, budget: number, reserved: number, options?: TableMarkdownOptions): TablePiece[] {
  const lines = rowLines(table)
  const tokens = lines.map(estimateTokens)
  const headerRows = Math.min(table.headerRows, table.rows - 1)
  const header = sum(tokens.slice(0, headerRows))
  // A header that takes half of the budget would crowd out the rows: it stands in the first piece only.
  const repeats = header <= budget / 2
  const pieces: TablePiece[] = []
  let from = 0
  let used = 0
  const close = (to: number) => {
    const withHeader = from > 0 && repeats ? headerRows : 0
    const text = [...lines.slice(0, withHeader), ...lines.slice(from, to)].join('\n')
    pieces.push({
      text,
      markdown: tableToMarkdown(part(table, withHeader, from, to), options),
      tokens: sum(tokens.slice(0, withHeader)) + sum(tokens.slice(from, to)),
      from,
      to,
    })
    from = to
    used = repeats ? header : 0
  }
  for (const group of rowGroups(table, headerRows)) {
    const size = sum(tokens.slice(group.from, group.to))
    const room = budget - (pieces.length === 0 ? reserved : 0)
    if (used + size <= room) {
      used += size
      continue
    }
    if (group.from > from && group.from >= headerRows && !(pieces.length === 0 && group.from === headerRows)) close(group.from)
    // A group over the budget is taken apart row by row.
    for (let row = group.from; row < group.to; row++) {
      const own = tokens[row] ?? 0
      if (used + own > budget && row > from && row > headerRows) close(row)
      used += own
    }
  }
  if (from < table.rows) close(table.rows)
  return pieces
}

/** Each row as a line; a cell that spans rows is said again in every one of them, so that a row can be read alone. */
function rowLines(table: Table): string[] {
  const rows: { column: number; text: string }[][] = Array.from({ length: table.rows }, () => [])
  for (const cell of table.cells) {
    const text = cell.text.replace(/\s+/g, ' ').trim()
    for (let r = cell.row; r < Math.min(table.rows, cell.row + cell.rowSpan); r++) rows[r]?.push({ column: cell.column, text })
  }
  return rows.map((row) =>
    row
      .sort((a, b) => a.column - b.column)
      .map((c) => c.text)
      .join(' | '),
  )
}

/** The header as one group, then rows joined by cells that span them. */
function rowGroups(table: Table, headerRows: number): { readonly from: number; readonly to: number }[] {
  const reach = Array.from({ length: table.rows }, (_, r) => r + 1)
  for (const cell of table.cells) reach[cell.row] = Math.max(reach[cell.row] ?? 0, Math.min(table.rows, cell.row + cell.rowSpan))
  const groups: { from: number; to: number }[] = headerRows > 0 ? [{ from: 0, to: headerRows }] : []
  let from = headerRows
  let to = headerRows
  for (let r = headerRows; r < table.rows; r++) {
    to = Math.max(to, reach[r] ?? r + 1)
    if (r + 1 === to) {
      groups.push({ from, to })
      from = to
    }
  }
  return groups
}

/** The header rows and the rows `[from, to)` as a table of their own; spans are cut at its end. */
function part(table: Table, headerRows: number, from: number, to: number): Table {
  if (headerRows === 0 && from === 0 && to === table.rows) return table
  const cells: TableCell[] = []
  for (const cell of table.cells) {
    if (cell.row < headerRows) cells.push({ ...cell, rowSpan: Math.min(cell.rowSpan, headerRows - cell.row) })
    const begins = Math.max(cell.row, from)
    const ends = Math.min(cell.row + cell.rowSpan, to)
    if (ends > begins && cell.row + cell.rowSpan > from && cell.row < to) cells.push({ ...cell, row: begins - from + headerRows, rowSpan: ends - begins })
  }
  const kept = from === 0 ? Math.min(table.headerRows, to) : headerRows
  const sub = { rows: headerRows + to - from, columns: table.columns, headerRows: kept, cells }
  return { ...sub, html: tableHtml(cells, sub.rows, kept) }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
