import type { TableCell } from '../../../schema/page.ts'
import { isFigure, isYear } from '../../../text/is-figure.ts'

/** A header is seldom deeper than this. */
const deepest = 4

/**
 * How many rows at the top are a header, by what the cells say: words over columns of figures.
 * For tables read from a picture, where the layout saw neither weight nor text.
 */
export function headerRowsByText(cells: readonly TableCell[], rows: number, columns: number): number {
  if (rows < 2) return 0
  const figureColumns = columnsOfFigures(cells, rows, columns)
  if (figureColumns.length === 0) return 0
  for (let row = 0; row < Math.min(rows, deepest + 1); row++) {
    const figures = cells.filter((cell) => cell.row === row && cell.columnSpan === 1 && figureColumns.includes(cell.column) && isBodyFigure(cell.text))
    if (figures.length * 2 >= figureColumns.length) return row
  }
  return 0
}

/** Columns in which most of the filled cells of the lower half are figures. */
function columnsOfFigures(cells: readonly TableCell[], rows: number, columns: number): number[] {
  const found: number[] = []
  for (let column = 0; column < columns; column++) {
    const below = cells.filter((cell) => cell.column === column && cell.columnSpan === 1 && cell.row * 2 >= rows && cell.text !== '')
    const figures = below.filter((cell) => isFigure(cell.text) === true)
    if (below.length > 0 && figures.length * 2 > below.length) found.push(column)
  }
  return found
}

const isBodyFigure = (text: string): boolean => isFigure(text) === true && !isYear(text)
