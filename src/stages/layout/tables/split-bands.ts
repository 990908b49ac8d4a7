import { isFigure } from '../../../text/is-figure.ts'
import { type Grid, type GridCell, rowCount } from './grid.ts'
import { type TextLine, textLines, textOf } from './text-lines.ts'

/**
 * Splits rows of a drawn table that hold several rows of figures: in at least half of the cells stand equally many figures,
 * side by side at the same heights, and every other cell holds one line, which then belongs to all of them.
 */
export function splitBands(grid: Grid): Grid {
  let result = grid
  // From below, so that the numbers of the rows above stay.
  for (let row = rowCount(grid) - 1; row >= 0; row--) {
    const heights = lineHeights(result.cells.filter((cell) => cell.row === row && cell.rowSpan === 1 && cell.bits.length > 0))
    if (heights && result.cells.every((cell) => cell.rowSpan === 1 || row < cell.row || row >= cell.row + cell.rowSpan)) result = splitRow(result, row, heights)
  }
  return result
}

/** Middles of the lines that a band falls into; undefined when it is one row. */
function lineHeights(cells: readonly GridCell[]): number[] | undefined {
  const lines = cells.map((cell) => textLines(cell.bits))
  const count = Math.max(0, ...lines.map((l) => l.length))
  if (count < 2 || lines.some((l) => l.length !== 1 && l.length !== count)) return undefined
  const full = lines.filter((l) => l.length === count)
  const figures = full.filter((l) => l.every((line) => isFigure(textOf(line.bits)) === true))
  if (figures.length < 2 || full.length * 2 < cells.length || figures.length * 2 < full.length) return undefined
  const heights = (full[0] ?? []).map(centre)
  const level = full.every((l) => l.every((line, i) => Math.abs(centre(line) - (heights[i] ?? 0)) < 0.35 * line.sizePt))
  return level ? heights : undefined
}

const centre = (line: TextLine): number => (line.box[1] + line.box[3]) / 2

function splitRow(grid: Grid, row: number, heights: readonly number[]): Grid {
  const more = heights.length - 1
  const borders = heights.slice(1).map((height, i) => (height + (heights[i] ?? height)) / 2)
  const cells = grid.cells.flatMap((cell): GridCell[] => {
    if (cell.row > row) return [{ ...cell, row: cell.row + more }]
    if (cell.row < row) return [cell]
    const lines = textLines(cell.bits)
    if (lines.length < 2) return [{ ...cell, rowSpan: 1 + more }]
    return lines.map((line, i) => ({ ...cell, row: row + i, bits: [...line.bits] }))
  })
  return {
    ...grid,
    ys: [...grid.ys.slice(0, row + 1), ...borders, ...grid.ys.slice(row + 1)],
    cells: cells.sort((a, b) => a.row - b.row || a.column - b.column),
  }
}
