import { overlapX, overlapY } from '../../../geometry/box.ts'
import { isFigure, isYear } from '../../../text/is-figure.ts'
import { columnCount, type Grid, type GridCell, rowCount } from './grid.ts'
import type { TableView } from './table-view.ts'

/** A header is seldom deeper than this. */
const deepest = 6

interface RowLook {
  readonly bold: boolean
  readonly color: string | undefined
  /** Most of its cells in columns of figures are figures. */
  readonly figures: boolean
  readonly filled: number
}

/**
 * How many rows at the top are a header: rows that look other than those below (weight, paint) or hold words over columns
 * of figures. What ruling lines say (`byRules`) holds where the look is silent.
 */
export function headerRowCount(view: TableView, grid: Grid, byRules: number): number {
  const rows = rowCount(grid)
  if (rows < 2) return 0
  const figureColumns = columnsOfFigures(grid)
  const looks = Array.from({ length: Math.min(rows, deepest + 1) }, (_, row) => lookOf(view, grid, row, figureColumns))
  // Rows painted in turn: the paint of the first comes again and marks no header.
  const color = looks[0]?.color
  for (let row = 2; color !== undefined && row < Math.min(rows, deepest + 6); row++) {
    const before = row <= deepest ? looks[row - 1]?.color : paintUnder(view, grid, row - 1)
    if (before !== color && paintUnder(view, grid, row) === color)
      return headerRowCountOf(
        grid,
        looks.map((look) => ({ ...look, color: undefined })),
        byRules,
      )
  }
  return headerRowCountOf(grid, looks, byRules)
}

function headerRowCountOf(grid: Grid, looks: readonly RowLook[], byRules: number): number {
  const rows = rowCount(grid)
  const figureColumns = columnsOfFigures(grid)
  const byLook = rowsUntilLookChanges(looks, rows)
  const byFigures = figureColumns.length > 0 ? rowsUntilFigures(looks) : 0
  // Several columns of figures leave no doubt where they begin; one may begin late.
  const slack = figureColumns.length > 1 ? deepest : 1
  const known = byLook > 0 ? byLook : byRules
  const count = known > 0 ? Math.max(known, Math.min(byFigures, known + slack)) : byFigures
  return Math.min(closeSpans(grid, count), rows - 1)
}

/** Rows above the first with figures, without the labels of groups right above it. */
function rowsUntilFigures(looks: readonly RowLook[]): number {
  let count = Math.max(
    0,
    looks.findIndex((look) => look.figures),
  )
  while (count > 1 && looks[count - 1]?.filled === 1) count--
  return count
}

function rowsUntilLookChanges(looks: readonly RowLook[], rows: number): number {
  const first = looks[0]
  if (!first || (!first.bold && first.color === undefined)) return 0
  for (let row = 1; row < looks.length; row++) {
    const look = looks[row]
    if (!look) break
    // Empty rows tell nothing.
    if (look.filled === 0) continue
    // A bold label alone heads the rows below it, not the columns.
    if (look.filled === 1 && looks.slice(0, row).some((above) => above.filled > 1)) return row
    const same = first.bold ? look.bold && (first.color === undefined || look.color !== undefined || look.color === first.color) : look.color === first.color
    if (!same) return row < rows ? row : 0
  }
  return 0
}

function lookOf(view: TableView, grid: Grid, row: number, figureColumns: readonly number[]): RowLook {
  const cells = grid.cells.filter((cell) => cell.row === row && cell.bits.length > 0)
  const bold = cells.length > 0 && cells.filter((cell) => isBold(view, cell)).length >= 0.75 * cells.length
  const inFigures = cells.filter((cell) => cell.columnSpan === 1 && figureColumns.includes(cell.column))
  const figures = inFigures.filter((cell) => isBodyFigure(cell))
  return {
    bold,
    color: paintUnder(view, grid, row),
    figures: inFigures.length > 0 && figures.length * 2 > inFigures.length,
    filled: cells.length,
  }
}

function isBold(view: TableView, cell: GridCell): boolean {
  let bold = 0
  for (const bit of cell.bits) {
    const style = view.page.styles[view.page.words[bit.word]?.style ?? -1]
    if (style?.bold) bold++
  }
  return bold * 2 > cell.bits.length
}

/** The colour under most of a row; undefined for none. */
function paintUnder(view: TableView, grid: Grid, row: number): string | undefined {
  const [y0, y1] = [grid.ys[row] ?? 0, grid.ys[row + 1] ?? 0]
  const band = [grid.xs[0] ?? 0, y0 + (y1 - y0) * 0.3, grid.xs.at(-1) ?? 0, y1 - (y1 - y0) * 0.3] as const
  const widths = new Map<string, number>()
  for (const fill of view.fills) {
    if (fill.color === undefined || overlapY(fill.box, band) <= 0.5 * (band[3] - band[1])) continue
    widths.set(fill.color, (widths.get(fill.color) ?? 0) + overlapX(fill.box, band))
  }
  for (const [color, width] of widths) if (width > 0.6 * (band[2] - band[0]) && !/^#f[c-f]f[c-f]f[c-f]$/i.test(color)) return color
  return undefined
}

/** Columns whose cells in the lower half are mostly figures. */
function columnsOfFigures(grid: Grid): number[] {
  const rows = rowCount(grid)
  const found: number[] = []
  for (let column = 0; column < columnCount(grid); column++) {
    const below = grid.cells.filter((cell) => cell.column === column && cell.columnSpan === 1 && cell.row * 2 >= rows && cell.bits.length > 0)
    if (below.length > 0 && below.filter((cell) => isFigure(cellText(cell)) === true).length * 2 > below.length) found.push(column)
  }
  return found
}

function isBodyFigure(cell: GridCell): boolean {
  const text = cellText(cell)
  return isFigure(text) === true && !isYear(text)
}

const cellText = (cell: GridCell): string => cell.bits.map((bit) => bit.text).join(' ')

/** A header ends where no cell reaches over its lower border. */
function closeSpans(grid: Grid, count: number): number {
  let end = count
  for (const cell of grid.cells) if (cell.row < end && cell.row + cell.rowSpan > end && cell.row + cell.rowSpan <= deepest + 1) end = cell.row + cell.rowSpan
  return end
}
