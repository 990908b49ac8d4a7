import { isFigure } from '../../../text/is-figure.ts'
import { columnStrips } from './column-gaps.ts'
import { columnCount, type Grid, rowCount } from './grid.ts'
import type { Bit } from './table-view.ts'
import { piecesOf, type TextLine, textLines, textOf } from './text-lines.ts'

/**
 * Whether the ruling lines of a table part only groups of its rows or columns, so that white space must part the rest:
 * cells that hold the same number of lines side by side are rows, pieces over each other in one cell are columns.
 * Cells of wrapped text have as many lines as their words need.
 */
export function isLoose(grid: Grid): boolean {
  return hasRowsInBands(grid) || hasColumnsInBands(grid)
}

/** Most of the lines stand in bands in which most cells hold the same lines, three at least. */
function hasRowsInBands(grid: Grid): boolean {
  let inRecords = 0
  let all = 0
  for (let row = 0; row < rowCount(grid); row++) {
    const cells = grid.cells.filter((cell) => cell.row === row && cell.rowSpan === 1 && cell.bits.length > 0).map((cell) => textLines(cell.bits))
    const most = Math.max(0, ...cells.map((lines) => lines.length))
    all += most
    if (cells.length >= 2 && most >= 3 && isRecords(cells, most, rowCount(grid))) inRecords += most
  }
  return inRecords * 2 > all
}

function isRecords(cells: readonly (readonly TextLine[])[], most: number, bands: number): boolean {
  const full = cells.filter((lines) => lines.length >= most - 1 && lines.length >= 3)
  if (full.length < 2 || full.length * 2 < cells.length) return false
  // Lines of one row stand at one height.
  const first = full[0] ?? []
  const level = full.every(
    (lines) => lines.filter((line) => first.some((other) => Math.abs(centre(other) - centre(line)) < 0.35 * line.sizePt)).length >= 0.8 * lines.length,
  )
  if (!level) return false
  const figures = full.filter(
    (lines) => lines.filter((line) => piecesOf(line).every((piece) => isFigure(textOf(piece.bits)) !== false)).length >= 0.7 * lines.length,
  )
  // Words alone: below a header. Boxes side by side hold equal numbers of lines by chance.
  return figures.length > 0 || (bands > 1 && full.length === cells.length)
}

const centre = (line: TextLine): number => (line.box[1] + line.box[3]) / 2

/** Several lines of one column fall into pieces whose gaps lie over each other. */
function hasColumnsInBands(grid: Grid): boolean {
  let split = 0
  for (let column = 0; column < columnCount(grid); column++) {
    const bits: Bit[] = grid.cells.filter((cell) => cell.column === column && cell.columnSpan === 1).flatMap((cell) => cell.bits)
    const lines = textLines(bits)
    const several = lines.filter((line) => piecesOf(line).length > 1)
    if (several.length < 3 || several.length * 2 < lines.length) continue
    if (columnStrips(several, []).length > 0) split++
  }
  return split > 0
}
