import type { Table, TableCell } from '../../../schema/page.ts'
import { strayText } from '../../stray-text.ts'
import { tableHtml } from '../../table-html.ts'
import { alignColumns, aligned, type ColumnAlignment } from './align-columns.ts'
import { ColumnValues } from './column-values.ts'
import { droppedBefore, dropRows } from './drop-rows.ts'
import { joinedText } from './join-text.ts'
import { isBlank, isNumeric, rowOf, sameRow, sameWords, segmentsOf, wholeRows } from './table-rows.ts'

/** A table of cells beyond this is not continued: one block must fit into memory. */
export const maxTableCells = 100_000
const mostHeaderRows = 5

/** How a table goes on: rows of repeated header to leave out, whether the next row completes the last one, and what to do with columns that differ. */
export interface TableContinuation {
  readonly skip: number
  readonly completesLastRow: boolean
  readonly columns?: ColumnAlignment
}

/** Asks which cells of the row above go on in the row below; both lists are equally long. */
export type AskCells = (above: readonly string[], below: readonly string[]) => Promise<readonly boolean[] | undefined>

/** Two rows that were asked about. The cells are the table's own and may have moved since. */
interface Seam {
  readonly above: readonly TableCell[]
  readonly below: readonly TableCell[]
  readonly answer: ReturnType<AskCells>
  readonly completesLastRow: boolean
}

/** A table that may go on over the page. Cells are appended; nothing that came in ever goes out. */
export class OpenTable {
  readonly headerRows: number
  readonly #first: Table
  /** Whether its reader never marks a header: what comes again is one. */
  readonly #marksNoHeader: boolean
  #cells: TableCell[]
  readonly #values = new ColumnValues()
  readonly #seams: Seam[] = []
  /** Words that stood in the tables and in no cell. */
  readonly stray: string[] = []
  /** Rows with which the parts begin; where the first row of a part completes the one above, that one. */
  #starts = [0]
  #columns: number
  #rows: number
  #lastRow: readonly TableCell[]

  /** @param text the block's plain text, which may say more than the cells. @param byModel whether a vision-language model wrote the table. */
  constructor(table: Table, text: string, byModel: boolean) {
    this.#first = table
    this.#keepStray(table, text)
    this.#marksNoHeader = byModel && table.headerRows === 0
    this.headerRows = table.headerRows
    this.#columns = table.columns
    this.#rows = table.rows
    this.#cells = table.cells.map((cell) => ({ ...cell }))
    for (const cell of this.#cells) if (cell.row >= this.headerRows) this.#values.add(cell)
    this.#lastRow = lastWritten(this.#cells, table.rows)
  }

  get columns(): number {
    return this.#columns
  }

  get cellCount(): number {
    return this.#cells.length
  }

  /** The leading rows that `next` has in common with this table's, at most five: its repeated header. Rows that a cell reaches out of do not count. */
  repeatedHeader(next: Table): number {
    const most = Math.min(this.#marksNoHeader ? mostHeaderRows : Math.max(1, this.headerRows), mostHeaderRows, next.rows - 1, this.#first.rows)
    let same = 0
    while (same < most && this.#isHeader(next, same)) same++
    return wholeRows(next, same)
  }

  /** Columns for both where the rows at the seam have equally many cells. */
  alignment(next: Table, skip: number): ColumnAlignment | undefined {
    return alignColumns(this.#lastRow, segmentsOf(next.cells, skip))
  }

  /** Whether what `next` calls its header is a row of data like those above it. */
  looksLikeData(next: Table): boolean {
    return this.#values.looksLikeData(rowOf(next, 0))
  }

  /** Whether `next`, whose reader marks no header, begins with one of its own. */
  hasOwnHeader(next: Table, { skip, columns }: Pick<TableContinuation, 'skip' | 'columns'>): boolean {
    if (skip > 0 || next.headerRows > 0) return false
    const row = rowOf(next, 0)
    return this.#values.looksLikeHeader(columns ? row.map((cell) => aligned(cell, columns.below)) : row)
  }

  /** Whether the first row of data of `next` is the rest of this table's last row: some cells empty, the others going on in lower case. */
  cutsLastRow(next: Table, skip: number): boolean {
    const rest = rowOf(next, skip)
    const filled = rest.filter((cell) => !isBlank(cell))
    if (next.columns !== this.#columns || filled.length === 0 || filled.length === this.#columns) return false
    if (rest.some((c) => c.rowSpan > 1 || c.columnSpan > 1)) return false
    return filled.every((cell) => {
      const above = this.#lastRow.find((c) => c.column === cell.column && c.columnSpan === 1)
      return above !== undefined && /^\s*[("'“]?\p{Ll}/u.test(cell.text) && !isBlank(above) && !/[.!?。！？]\s*$/u.test(above.text)
    })
  }

  /**
   * Appends the rows of `next` but its repeated header. A cut row completes the last one: at once, or, where somebody is asked and the rows have equally
   * many cells, as the answer says.
   */
  append(next: Table, text: string, { skip, completesLastRow, columns }: TableContinuation, ask?: AskCells): void {
    this.#keepStray(next, text)
    if (columns) this.#widen(columns.above)
    const from = this.#rows
    this.#starts.push(from)
    const rest = next.cells.filter((cell) => cell.row >= skip).map((cell) => (columns ? aligned(cell, columns.below) : { ...cell }))
    for (const cell of rest) {
      cell.row += from - skip
      cell.header = false
      this.#cells.push(cell)
      this.#values.add(cell)
    }
    this.#rows += next.rows - skip
    const [above, below] = [this.#lastRow, segmentsOf(rest, from)]
    if (ask && above.length > 0 && above.length === below.length && !below.every(isBlank)) {
      this.#seams.push({ above, below, completesLastRow, answer: ask(above.map(textOf), below.map(textOf)) })
    } else if (completesLastRow) {
      complete(above, below)
      this.#drop(new Set([from]))
    }
    const last = lastWritten(
      rest.filter((cell) => cell.rowSpan > 0),
      this.#rows,
    )
    if (last.length > 0) this.#lastRow = last
  }

  /** The table as a whole and the rows with which its parts begin, once all that were asked have answered. */
  async finish(): Promise<{ readonly table: Table; readonly starts: readonly number[] }> {
    const answers = await Promise.all(this.#seams.map((seam) => seam.answer))
    const emptied = new Set<number>()
    for (const [i, { above, below, completesLastRow }] of [...this.#seams.entries()].reverse()) {
      const flags = answers[i]
      const written = !below.every(isBlank)
      if (flags) moveFlagged(above, below, flags)
      else if (completesLastRow) complete(above, below)
      if (written && below.every(isBlank)) emptied.add(below[0]?.row ?? this.#rows)
    }
    this.#drop(emptied)
    const table = { rows: this.#rows, columns: this.#columns, headerRows: this.headerRows, cells: this.#cells }
    return { table: { ...table, html: tableHtml(this.#cells, this.#rows, this.headerRows) }, starts: this.#starts }
  }

  #isHeader(next: Table, row: number): boolean {
    const [own, other] = [rowOf(this.#first, row), rowOf(next, row)]
    if (this.#marksNoHeader) return sameWords(own, other) && other.some((cell) => !isBlank(cell) && !isNumeric(cell.text))
    if (next.columns !== this.#columns || !sameRow(own, other)) return false
    // Where no row is marked as a header only words that come again are one: equal rows of figures are data.
    return this.headerRows > 0 || other.every((cell) => !isNumeric(cell.text))
  }

  #keepStray(table: Table, text: string): void {
    const stray = strayText(table, text)
    if (stray !== '') this.stray.push(stray)
  }

  #widen(starts: readonly number[]): void {
    for (const cell of this.#cells) Object.assign(cell, aligned(cell, starts))
    this.#values.move(starts)
    this.#columns = starts.at(-1) ?? this.#columns
  }

  #drop(rows: ReadonlySet<number>): void {
    if (rows.size === 0) return
    const before = droppedBefore(this.#rows, rows)
    this.#cells = dropRows(this.#cells, before)
    this.#starts = this.#starts.map((row) => row - (before[row + 1] ?? 0))
    this.#rows -= rows.size
  }
}

const textOf = (cell: TableCell): string => cell.text

/** The last row in which something is written; none where nothing is. */
function lastWritten(cells: readonly TableCell[], rows: number): readonly TableCell[] {
  let last = -1
  for (const cell of cells) if (!isBlank(cell)) last = Math.max(last, Math.min(rows, cell.row + cell.rowSpan) - 1)
  return last < 0 ? [] : segmentsOf(cells, last)
}

/** What is written in the lower cells goes to the end of the running text above. */
function complete(above: readonly TableCell[], below: readonly TableCell[]): void {
  for (const cell of below) {
    const home = above.find((c) => c.column === cell.column)
    if (!home || isBlank(cell)) continue
    home.text = joinedText(home.text, cell.text)
    cell.text = ''
  }
}

/** As the model says: without a blank, for it flags cells that were cut within a word as well. */
function moveFlagged(above: readonly TableCell[], below: readonly TableCell[], flags: readonly boolean[]): void {
  for (const [i, cell] of below.entries()) {
    const home = above[i]
    if (!home || !flags[i]) continue
    home.text += cell.text
    cell.text = ''
  }
}
