import type { Table, TableCell } from '../../../schema/page.ts'
import { tableHtml } from '../../table-html.ts'
import { joinedText } from './join-text.ts'
import { strayText } from './stray-text.ts'

/** Values remembered of a column, to tell a row of data from a header. */
const maxSamples = 200

/** A table of cells beyond this is not continued: one block must fit into memory. */
export const maxTableCells = 100_000

/** A table that may go on over the page. Cells are appended; nothing that came in ever goes out. */
export class OpenTable {
  readonly columns: number
  readonly headerRows: number
  readonly #cells: TableCell[]
  readonly #samples: Set<string>[]
  readonly #numeric: { numbers: number; all: number }[]
  readonly #first: Table
  /** Words that stood in the tables and in no cell. */
  readonly stray: string[] = []
  #rows: number
  #lastRow: TableCell[] = []

  /** @param text the block's plain text, which may say more than the cells. */
  constructor(table: Table, text: string) {
    this.#first = table
    this.#keepStray(table, text)
    this.columns = table.columns
    this.headerRows = table.headerRows
    this.#rows = table.rows
    this.#cells = [...table.cells]
    this.#samples = Array.from({ length: table.columns }, () => new Set())
    this.#numeric = Array.from({ length: table.columns }, () => ({ numbers: 0, all: 0 }))
    for (const cell of table.cells) this.#note(cell)
  }

  get rows(): number {
    return this.#rows
  }

  get cellCount(): number {
    return this.#cells.length
  }

  /** The leading rows that `next` has in common with this table's: its repeated header. At most five. */
  repeatedHeader(next: Table): number {
    if (next.columns !== this.columns) return 0
    let same = 0
    while (same < Math.min(5, next.rows - 1, this.#first.rows) && sameRow(rowOf(this.#first, same), rowOf(next, same))) same++
    if (same === 0 || this.headerRows > 0) return Math.min(same, Math.max(this.headerRows, same > 0 && this.headerRows === 0 ? 1 : 0))
    // No row is marked as a header: only words that come again are one, equal rows of figures are data.
    return rowOf(next, 0).every((cell) => !isNumeric(cell.text)) ? 1 : 0
  }

  /** Whether what `next` calls its header is a row of data like those above it: by kind of value, or by values seen in the column. */
  looksLikeData(next: Table): boolean {
    let alike = 0
    let unlike = 0
    for (const cell of rowOf(next, 0)) {
      const numeric = this.#numeric[cell.column]
      if (cell.text.trim() === '' || !numeric || numeric.all === 0) continue
      const mostlyNumbers = numeric.numbers >= numeric.all * 0.7
      if (this.#samples[cell.column]?.has(folded(cell.text))) alike += 2
      else if (mostlyNumbers && isNumeric(cell.text)) alike++
      else if (mostlyNumbers) unlike++
      else if (isNumeric(cell.text)) alike++
    }
    return alike > 0 && unlike === 0
  }

  /** Whether the first row of data of `next` is the rest of this table's last row: some cells empty, the others going on in lower case. */
  cutsLastRow(next: Table, skip: number): boolean {
    const rest = rowOf(next, skip)
    const filled = rest.filter((cell) => cell.text.trim() !== '')
    if (filled.length === 0 || filled.length === this.columns || rest.some((c) => c.rowSpan > 1 || c.columnSpan > 1)) return false
    return filled.every((cell) => {
      const above = this.#lastRow.find((c) => c.column === cell.column && c.columnSpan === 1)
      return above !== undefined && /^\s*[("'“]?\p{Ll}/u.test(cell.text) && above.text.trim() !== '' && !/[.!?。！？]\s*$/u.test(above.text)
    })
  }

  /** Appends the rows of `next` but its repeated header; a cut row completes the last one. Returns the row at which they begin. */
  append(next: Table, text: string, skip: number, completesLastRow: boolean): number {
    this.#keepStray(next, text)
    const from = this.#rows
    if (completesLastRow) this.#completeLastRow(rowOf(next, skip))
    const dropped = skip + (completesLastRow ? 1 : 0)
    for (const cell of next.cells) {
      if (cell.row < dropped) continue
      const moved = { ...cell, row: cell.row - dropped + from, header: false }
      this.#cells.push(moved)
      this.#note(moved)
    }
    this.#rows += next.rows - dropped
    return completesLastRow ? from - 1 : from
  }

  finish(): Table {
    const { columns, headerRows } = this
    const table = { rows: this.#rows, columns, headerRows, cells: this.#cells }
    return { ...table, html: tableHtml(this.#cells, this.#rows, headerRows) }
  }

  #keepStray(table: Table, text: string): void {
    const stray = strayText(table, text)
    if (stray !== '') this.stray.push(stray)
  }

  #completeLastRow(rest: readonly TableCell[]): void {
    for (const cell of rest) {
      if (cell.text.trim() === '') continue
      const at = this.#cells.findLastIndex((c) => c.column === cell.column && c.row === this.#rows - 1)
      const above = this.#cells[at]
      if (above) this.#cells[at] = { ...above, text: joinedText(above.text, cell.text) }
    }
  }

  #note(cell: TableCell): void {
    if (cell.row > (this.#lastRow[0]?.row ?? -1)) this.#lastRow = []
    if (cell.row === (this.#lastRow[0]?.row ?? cell.row)) this.#lastRow.push(cell)
    const samples = this.#samples[cell.column]
    const numeric = this.#numeric[cell.column]
    if (cell.row < this.headerRows || cell.text.trim() === '' || !samples || !numeric) return
    if (samples.size < maxSamples) samples.add(folded(cell.text))
    numeric.all++
    if (isNumeric(cell.text)) numeric.numbers++
  }
}

const rowOf = (table: Table, row: number): TableCell[] => table.cells.filter((c) => c.row === row).sort((a, b) => a.column - b.column)

const sameRow = (a: readonly TableCell[], b: readonly TableCell[]): boolean =>
  a.length > 0 &&
  a.length === b.length &&
  a.some((cell) => cell.text.trim() !== '') &&
  a.every((cell, i) => cell.column === b[i]?.column && cell.columnSpan === b[i]?.columnSpan && folded(cell.text) === folded(b[i]?.text ?? ''))

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, '')

/** Figures, amounts, percentages, dates in figures. */
const isNumeric = (text: string): boolean => /^[\s(~<>≈±+−–-]*[$€£¥]?\s*\d[\d\s.,:'’/%°()–−-]*(?:[kKmM]|USD|EUR|[$€£¥%])?\s*$/u.test(text)
