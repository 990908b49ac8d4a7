import type { TableCell } from '../../../schema/page.ts'
import { folded, isBlank, isNumeric } from './table-rows.ts'

/** Values remembered of a column, to tell a row of data from a header. */
const maxSamples = 200
/** From this share of figures on a column is one of figures. */
const mostly = 0.7

interface Column {
  readonly samples: Set<string>
  numbers: number
  all: number
}

/** What stands in the columns of a table, below its header. */
export class ColumnValues {
  #columns: (Column | undefined)[] = []

  add(cell: TableCell): void {
    if (isBlank(cell)) return
    const column = this.#columns[cell.column] ?? { samples: new Set(), numbers: 0, all: 0 }
    this.#columns[cell.column] = column
    if (column.samples.size < maxSamples) column.samples.add(folded(cell.text))
    column.all++
    if (isNumeric(cell.text)) column.numbers++
  }

  /** Whether a row, which its page calls a header, is one of data like those above: by kind of value, or by values seen in the column. */
  looksLikeData(row: readonly TableCell[]): boolean {
    const { alike, unlike } = this.#compare(row)
    return alike > 0 && unlike === 0
  }

  /** Whether a row has words wherever there are figures above: the header of another table. */
  looksLikeHeader(row: readonly TableCell[]): boolean {
    const overFigures = row.filter((cell) => this.#isOfFigures(cell.column))
    return overFigures.length > 0 && overFigures.every((cell) => /\p{L}{3}|\p{Script=Han}/u.test(cell.text)) && this.#compare(row).alike === 0
  }

  /** Moves the columns to the places where they begin in a wider table. */
  move(starts: readonly number[]): void {
    const moved: (Column | undefined)[] = []
    for (const [i, column] of this.#columns.entries()) moved[starts[i] ?? i] = column
    this.#columns = moved
  }

  #isOfFigures(index: number): boolean {
    const column = this.#columns[index]
    return column !== undefined && column.numbers >= column.all * mostly
  }

  #compare(row: readonly TableCell[]): { alike: number; unlike: number } {
    let [alike, unlike] = [0, 0]
    for (const cell of row) {
      const column = this.#columns[cell.column]
      if (isBlank(cell) || !column) continue
      if (column.samples.has(folded(cell.text))) alike += 2
      else if (isNumeric(cell.text)) alike++
      else if (this.#isOfFigures(cell.column)) unlike++
    }
    return { alike, unlike }
  }
}
