import { toFractions } from '../../../geometry/box.ts'
import type { LayoutCell, LayoutLine, LayoutTable } from '../../../schema/page.ts'
import type { PointBox } from '../../../schema/text-layer.ts'
import { isRightToLeft } from '../../../text/script.ts'
import type { FoundTable } from '../page-geometry.ts'
import { columnCount, type Grid, type GridCell, rowCount } from './grid.ts'
import { type Bit, type TableView, toPageBox } from './table-view.ts'
import { textLines } from './text-lines.ts'

/** Turns a finished grid into what the stage hands on: boxes in fractions of the page, lines of word indices. */
export function layoutTable(view: TableView, grid: Grid, headerRows: number): FoundTable {
  const atoms = new Set<number>()
  for (const cell of grid.cells) for (const bit of cell.bits) atoms.add(bit.atom)
  const box = toPageBox(view, tableBox(grid))
  const table: LayoutTable = {
    rows: rowCount(grid),
    columns: columnCount(grid),
    headerRows,
    ruled: grid.ruled,
    cells: readingOrder(
      grid.cells.map((cell) => layoutCell(view, grid, cell, cell.row < headerRows)),
      columnCount(grid),
      isRightToLeft(grid.cells.flatMap((cell) => cell.bits.map((bit) => bit.text)).join(' ')),
    ),
  }
  return { box, atoms, angle: ((360 - view.turn) % 360) as FoundTable['angle'], table }
}

/** The first column of a table in right-to-left writing is the rightmost. */
function readingOrder(cells: readonly LayoutCell[], columns: number, rightToLeft: boolean): LayoutCell[] {
  if (!rightToLeft) return [...cells]
  return cells.map((cell) => ({ ...cell, column: columns - cell.column - cell.columnSpan })).sort((a, b) => a.row - b.row || a.column - b.column)
}

/** Around the grid and everything in it. */
function tableBox(grid: Grid): PointBox {
  let [x0, y0, x1, y1] = [grid.xs[0] ?? 0, grid.ys[0] ?? 0, grid.xs.at(-1) ?? 0, grid.ys.at(-1) ?? 0]
  for (const cell of grid.cells) {
    for (const { box } of cell.bits) {
      x0 = Math.min(x0, box[0])
      y0 = Math.min(y0, box[1])
      x1 = Math.max(x1, box[2])
      y1 = Math.max(y1, box[3])
    }
  }
  return [x0, y0, x1, y1]
}

function layoutCell(view: TableView, grid: Grid, cell: GridCell, header: boolean): LayoutCell {
  const box: PointBox = [grid.xs[cell.column] ?? 0, grid.ys[cell.row] ?? 0, grid.xs[cell.column + cell.columnSpan] ?? 0, grid.ys[cell.row + cell.rowSpan] ?? 0]
  return {
    row: cell.row,
    column: cell.column,
    rowSpan: cell.rowSpan,
    columnSpan: cell.columnSpan,
    box: fractions(view, box),
    header,
    lines: cellLines(view, cell.bits),
  }
}

const fractions = (view: TableView, box: PointBox) => toFractions(toPageBox(view, box), view.page.width, view.page.height)

/** Printed lines of a cell. Words keep the order their atom has: right-to-left writing is not turned round. */
function cellLines(view: TableView, bits: readonly Bit[]): LayoutLine[] {
  const turned = bits.filter((bit) => view.atoms[bit.atom]?.own === false)
  const level = bits.filter((bit) => view.atoms[bit.atom]?.own !== false)
  const lines = textLines(level).flatMap((line) => layoutLines(view, line.bits))
  // Turned writing in an upright table: each of its atoms is a line.
  for (const atom of new Set(turned.map((bit) => bit.atom)))
    lines.push(
      ...layoutLines(
        view,
        turned.filter((bit) => bit.atom === atom),
      ),
    )
  return lines
}

function layoutLines(view: TableView, bits: readonly Bit[]): LayoutLine[] {
  const lines: LayoutLine[] = []
  const byAtom = new Map<number, Bit[]>()
  for (const bit of bits) {
    const group = byAtom.get(bit.atom)
    if (group) group.push(bit)
    else byAtom.set(bit.atom, [bit])
  }
  let words: number[] = []
  let boxes: PointBox[] = []
  const groups = [...byAtom.values()].map((group) => inReadingOrder(view, group))
  if (groups.some(runsLeft)) groups.reverse()
  for (const group of groups) {
    if (group[0]?.word === -1) {
      for (const bit of group) {
        const region = view.page.atoms[bit.atom]?.region
        if (region !== undefined) lines.push({ box: fractions(view, bit.box), region })
      }
      continue
    }
    words = words.concat(group.map((bit) => bit.word))
    boxes = boxes.concat(group.map((bit) => bit.box))
  }
  if (words.length > 0) lines.push({ box: fractions(view, around(boxes)), words })
  return lines
}

function inReadingOrder(view: TableView, bits: readonly Bit[]): Bit[] {
  const words = view.page.atoms[bits[0]?.atom ?? -1]?.words
  if (!words || bits.length < 2) return [...bits]
  return [...bits].sort((a, b) => words.indexOf(a.word) - words.indexOf(b.word))
}

const runsLeft = (bits: readonly Bit[]): boolean => bits.length > 1 && (bits[0]?.box[0] ?? 0) > (bits.at(-1)?.box[2] ?? 0)

function around(boxes: readonly PointBox[]): PointBox {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const box of boxes) {
    x0 = Math.min(x0, box[0])
    y0 = Math.min(y0, box[1])
    x1 = Math.max(x1, box[2])
    y1 = Math.max(y1, box[3])
  }
  return [x0, y0, x1, y1]
}
