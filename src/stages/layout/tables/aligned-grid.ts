import type { PointBox } from '../../../schema/text-layer.ts'
import { columnStrips, middleOf, type Strip } from './column-gaps.ts'
import { type Grid, type GridCell, tile } from './grid.ts'
import { type CellLine, cellLine, type LineCell } from './line-cells.ts'
import { columnsOfFigures, groupRows, headLineCount, type RowGroup } from './row-groups.ts'
import type { Segment } from './segments.ts'
import type { Bit } from './table-view.ts'
import { textLines } from './text-lines.ts'

export interface AlignedInput {
  readonly box: PointBox
  readonly bits: readonly Bit[]
  /** Horizontal ruling lines in the box, whole or in part. */
  readonly rules: readonly Segment[]
  /** x of upright ruling lines between columns. */
  readonly borders: readonly number[]
  readonly ruled: boolean
  /** Cells that ruling lines draw over several columns. */
  readonly frames?: readonly PointBox[]
}

export interface AlignedGrid {
  readonly grid: Grid
  readonly lines: readonly CellLine[]
  readonly strips: readonly Strip[]
  /** Rows at the top that rules or figures mark as header. */
  readonly headRows: number
}

/** The grid of a table whose rows and columns are told by white space, with what ruling lines there are. Undefined for one column or one line. */
export function alignedGrid(input: AlignedInput): AlignedGrid | undefined {
  const printed = textLines(input.bits)
  if (printed.length < 2) return undefined
  const strips = columnStrips(printed, input.borders)
  if (strips.length === 0) return undefined
  const columns = strips.length + 1
  const lines = printed.map((line) => cellLine(line, strips))
  const headLines = headLineCount(lines, input.rules, columnsOfFigures(lines, columns))
  const groups = groupRows(lines, input.rules, headLines, columns)
  const headRows = countHeadRows(groups, headLines)
  const edges = columnEdges(lines, columns)
  const cells = groups.flatMap((group, row) => rowCells(group, row, row < headRows, edges, input))
  const xs = [input.box[0], ...strips.map(middleOf), input.box[2]]
  return {
    grid: { xs, ys: rowBorders(groups, input.box), cells: tile(groups.length, columns, cells), ruled: input.ruled },
    lines,
    strips,
    headRows,
  }
}

function countHeadRows(groups: readonly RowGroup[], headLines: number): number {
  let lines = 0
  for (const [row, group] of groups.entries()) {
    if (lines >= headLines) return row
    lines += group.lines.length
  }
  return 0
}

/** Left and right edge of what stands in each column alone. */
interface Edge {
  x0: number
  x1: number
}

function columnEdges(lines: readonly CellLine[], columns: number): Edge[] {
  const edges: Edge[] = Array.from({ length: columns }, () => ({ x0: Infinity, x1: -Infinity }))
  for (const line of lines) {
    for (const cell of line.cells) {
      const edge = edges[cell.first]
      if (!edge || cell.last !== cell.first) continue
      edge.x0 = Math.min(edge.x0, cell.x0)
      edge.x1 = Math.max(edge.x1, cell.x1)
    }
  }
  return edges
}

function rowCells(group: RowGroup, row: number, isHead: boolean, edges: readonly Edge[], input: AlignedInput): GridCell[] {
  const cells: (GridCell & Edge)[] = []
  for (const line of group.lines) {
    const spans = isHead ? headSpans(line, edges, input) : line.cells.map((cell) => bodySpan(cell, line, edges))
    for (const [i, cell] of line.cells.entries()) {
      const [first, last] = spans[i] ?? [cell.first, cell.last]
      const owner = cells.find((c) => first <= c.column + c.columnSpan - 1 && last >= c.column)
      if (owner) {
        owner.bits.push(...cell.bits)
        const end = Math.max(owner.column + owner.columnSpan - 1, last)
        owner.column = Math.min(owner.column, first)
        owner.columnSpan = end - owner.column + 1
      } else {
        cells.push({ row, column: first, rowSpan: 1, columnSpan: last - first + 1, bits: [...cell.bits], x0: cell.x0, x1: cell.x1 })
      }
    }
  }
  return cells.map(({ column, columnSpan, bits }) => ({ row, column, rowSpan: 1, columnSpan, bits }))
}

/** A label that starts where its column starts and runs on over empty places is one column's. */
function bodySpan(cell: LineCell, line: CellLine, edges: readonly Edge[]): [number, number] {
  const edge = edges[cell.first]
  if (cell.first === cell.last || !edge) return [cell.first, cell.last]
  const startsAtEdge = Math.abs(cell.x0 - edge.x0) < 0.7 * line.sizePt || cell.first === 0
  const centred = cell.first === 0 && cell.x0 - edge.x0 > 2 * line.sizePt
  return startsAtEdge && !centred ? [cell.first, cell.first] : [cell.first, cell.last]
}

/**
 * The columns that the cells of a header line stand over: those over the ruling line right below a cell, else those that make
 * up the white around it, if it then stands in their middle.
 */
function headSpans(line: CellLine, edges: readonly Edge[], { rules, frames = [] }: AlignedInput): [number, number][] {
  return line.cells.map((cell, i) => {
    const framed = frameSpan(cell, line, edges, frames)
    if (framed) return framed
    const under = rules.find(
      (rule) => rule.at > line.y1 - 0.4 * line.sizePt && rule.at < line.y1 + 0.9 * line.sizePt && rule.from <= cell.x0 + 1 && rule.to >= cell.x1 - 1,
    )
    const left = (line.cells[i - 1]?.last ?? -1) + 1
    const right = (line.cells[i + 1]?.first ?? edges.length) - 1
    // A spanner ends where its columns end; the line under the whole header does not tell.
    const isSpanner = under && under.from > (edges[left]?.x0 ?? 0) - line.sizePt && under.to < (edges[right]?.x1 ?? 0) + line.sizePt
    if (isSpanner) {
      const over = edges.flatMap((edge, c) => (c >= left && c <= right && overlapShare(edge, under) > 0.5 ? [c] : []))
      if (over.length > 0 && over.length < edges.length) return [Math.min(cell.first, over[0] ?? 0), Math.max(cell.last, over.at(-1) ?? 0)]
    }
    return cell.last > cell.first ? centredSpan(cell, left, right, edges) : [cell.first, cell.last]
  })
}

/** The columns of the drawn cell that holds this cell and no other of the line. */
function frameSpan(cell: LineCell, line: CellLine, edges: readonly Edge[], frames: readonly PointBox[]): [number, number] | undefined {
  const y = (line.y0 + line.y1) / 2
  const holds = ([x0, y0, x1, y1]: PointBox, c: Edge) => y > y0 && y < y1 && (c.x0 + c.x1) / 2 > x0 && (c.x0 + c.x1) / 2 < x1
  const frame = frames.find((f) => holds(f, cell))
  if (!frame || line.cells.filter((c) => holds(frame, c)).length > 1) return undefined
  const inside = edges.flatMap((edge, c) => ((edge.x0 + edge.x1) / 2 > frame[0] && (edge.x0 + edge.x1) / 2 < frame[2] ? [c] : []))
  return inside.length > 1 ? [inside[0] ?? 0, inside.at(-1) ?? 0] : undefined
}

const overlapShare = (edge: Edge, rule: Segment): number => (Math.min(edge.x1, rule.to) - Math.max(edge.x0, rule.from)) / Math.max(1, edge.x1 - edge.x0)

/** Among the spans that hold the cell and touch no neighbour, the one whose middle is the cell's; the narrowest of equals. */
function centredSpan(cell: LineCell, left: number, right: number, edges: readonly Edge[]): [number, number] {
  const middle = (cell.x0 + cell.x1) / 2
  let best: [number, number] = [cell.first, cell.last]
  let least = Infinity
  for (let first = Math.min(cell.first, Math.max(left, 0)); first <= cell.first; first++) {
    for (let last = cell.last; last <= Math.max(right, cell.last); last++) {
      const x0 = edges[first]?.x0 ?? Infinity
      const x1 = edges[last]?.x1 ?? -Infinity
      const off = Math.abs((x0 + x1) / 2 - middle)
      if (off < least - 1) {
        least = off
        best = [first, last]
      }
    }
  }
  return best
}

function rowBorders(groups: readonly RowGroup[], box: PointBox): number[] {
  const borders = [box[1]]
  for (let i = 1; i < groups.length; i++) {
    const above = Math.max(...(groups[i - 1]?.lines.map((l) => l.y1) ?? [0]))
    const below = Math.min(...(groups[i]?.lines.map((l) => l.y0) ?? [0]))
    borders.push((above + below) / 2)
  }
  return [...borders, box[3]]
}
