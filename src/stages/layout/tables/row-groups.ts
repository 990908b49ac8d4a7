import type { CellLine, LineCell } from './line-cells.ts'
import type { Segment } from './segments.ts'
import { textOf } from './text-lines.ts'

/** Printed lines that make one row of a table. */
export interface RowGroup {
  lines: CellLine[]
  /** A horizontal ruling line over the whole width stands above it. */
  ruledAbove: boolean
}

/**
 * Groups printed lines to rows. A ruling line always parts; below the header figures never continue the row above,
 * words do when they stand close and leave the label column empty; in the header lines join unless one nests under another.
 *
 * @param headLines number of lines at the top that are the header.
 */
export function groupRows(lines: readonly CellLine[], rules: readonly Segment[], headLines: number, columns: number): RowGroup[] {
  const groups: RowGroup[] = []
  const tight = tightPitch(lines.slice(headLines))
  const labelWidth = labelColumnWidth(lines)
  for (const [i, line] of lines.entries()) {
    const group = groups.at(-1)
    const before = group?.lines.at(-1)
    const rule = before ? ruleBetween(before, line, rules) : undefined
    const context: Neighbours | undefined = group && before ? { row: group.lines, before, line, tight, labelWidth, columns } : undefined
    if (!context || rule !== undefined || !(i < headLines ? joinsInHeader(context) : i > headLines && joinsInBody(context))) {
      groups.push({ lines: [line], ruledAbove: rule !== undefined && isLong(rule, lines) })
    } else {
      group?.lines.push(line)
    }
  }
  return groups
}

interface Neighbours {
  readonly row: readonly CellLine[]
  readonly before: CellLine
  readonly line: CellLine
  readonly tight: number
  readonly labelWidth: number
  readonly columns: number
}

const centre = (line: CellLine): number => (line.y0 + line.y1) / 2

/** The usual distance of neighbouring lines that stand close, in points. */
function tightPitch(lines: readonly CellLine[]): number {
  const pitches: number[] = []
  for (let i = 1; i < lines.length; i++) {
    const [a, b] = [lines[i - 1], lines[i]]
    if (a && b) pitches.push(centre(b) - centre(a))
  }
  pitches.sort((a, b) => a - b)
  return pitches[Math.floor(pitches.length * 0.15)] ?? 0
}

function labelColumnWidth(lines: readonly CellLine[]): number {
  let widest = 0
  for (const line of lines) for (const cell of line.cells) if (cell.first === 0 && cell.last === 0) widest = Math.max(widest, cell.x1 - cell.x0)
  return widest
}

function ruleBetween(above: CellLine, below: CellLine, rules: readonly Segment[]): Segment | undefined {
  const [top, bottom] = [centre(above), centre(below)]
  const touches = (rule: Segment, cell: LineCell) => Math.min(rule.to, cell.x1) - Math.max(rule.from, cell.x0) > 0.3 * (cell.x1 - cell.x0)
  return rules.find((rule) => rule.at > top && rule.at < bottom && (above.cells.some((c) => touches(rule, c)) || below.cells.some((c) => touches(rule, c))))
}

function isLong(rule: Segment, lines: readonly CellLine[]): boolean {
  const x0 = Math.min(...lines.map((l) => l.cells[0]?.x0 ?? Infinity))
  const x1 = Math.max(...lines.map((l) => l.cells.at(-1)?.x1 ?? -Infinity))
  return rule.to - rule.from > 0.8 * (x1 - x0)
}

/** Lines of a header join to cells of several lines, but what stands under a cell over several columns begins a row. */
function joinsInHeader({ row, before, line, columns }: Neighbours): boolean {
  if (centre(line) - centre(before) > 1.9 * Math.max(line.sizePt, before.sizePt)) return false
  const above = row.flatMap((l) => l.cells)
  const nested = above.some((cell) => cell.last > cell.first && line.cells.filter((c) => c.first >= cell.first && c.last <= cell.last).length > 1)
  const spans = line.cells.some((cell) => cell.last > cell.first && above.filter((c) => c.first >= cell.first && c.last <= cell.last).length > 1)
  const wholeWidth = above.length === 1 && (above[0]?.last ?? 0) - (above[0]?.first ?? 0) + 1 === columns && columns > 1
  return !nested && !spans && !wholeWidth
}

function joinsInBody(n: Neighbours): boolean {
  const { row, before, line, tight } = n
  const pitch = centre(line) - centre(before)
  // Lines that overlap are set against each other in height: one row with cells of different depth.
  if (line.y0 < before.y1 - 0.35 * Math.min(line.sizePt, before.sizePt) && pitch < 0.75 * line.sizePt) return true
  if (pitch > 1.15 * tight && pitch > 1.45 * line.sizePt) return false
  const filled = new Map<number, LineCell[]>()
  for (const l of row) for (const cell of l.cells) for (let c = cell.first; c <= cell.last; c++) filled.set(c, [...(filled.get(c) ?? []), cell])
  if (line.cells.some((cell) => cell.figure !== false && (filled.get(cell.first) ?? []).some((c) => c.figure !== false))) return false
  const hasLabel = line.cells.some((cell) => cell.first === 0)
  if (!hasLabel) return line.cells.every((cell) => cell.figure === false && filled.has(cell.first)) && filled.has(0)
  if (line.cells.length > 1) return filled.size === 1 && filled.has(0) && wrapsAbove(n)
  return filled.size > 1 && filled.has(0) && wrapsBelow(n)
}

const goesOn = /(?:[-‐,/&(]|\b(?:and|or|of|the|for|in|to|with|by|from|und|der|die|et|de|du|des|la|y|e))$/iu
const lower = /^\p{Ll}/u

/** The label of a row began on the line above, which holds nothing else. */
function wrapsAbove({ row, line, labelWidth }: Neighbours): boolean {
  const label = row.at(-1)?.cells[0]
  const next = line.cells[0]
  if (!label || !next || label.figure === undefined || label.last > 0) return false
  if (goesOn.test(textOf(label.bits)) || lower.test(textOf(next.bits))) return true
  return next.x0 - label.x0 > 0.4 * line.sizePt && label.x1 - label.x0 > 0.85 * labelWidth
}

/** The label of the row goes on below, with nothing beside it. */
function wrapsBelow({ row, line, labelWidth }: Neighbours): boolean {
  const label = row.at(-1)?.cells.find((cell) => cell.first === 0)
  const next = line.cells[0]
  if (!label || !next || label.figure === undefined) return false
  if (goesOn.test(textOf(label.bits)) || lower.test(textOf(next.bits))) return true
  return next.x0 - label.x0 > 0.4 * line.sizePt && label.x1 - label.x0 > 0.75 * labelWidth
}

/**
 * Number of lines at the top that head the columns: those above the first ruling line over the whole width, else above
 * the first line that holds figures in most of its cells beside the label.
 */
export function headLineCount(lines: readonly CellLine[], rules: readonly Segment[], figureColumns: ReadonlySet<number>): number {
  const deepest = Math.min(10, Math.floor(lines.length * 0.6))
  const figureLine = lines.findIndex((line) => {
    const cells = line.cells.filter((cell) => cell.first === cell.last && figureColumns.has(cell.first))
    return cells.length > 0 && cells.filter((cell) => cell.figure !== false).length * 2 > cells.length && !line.cells.some((c) => c.last > c.first)
  })
  const head = figureLine > 0 && figureLine <= deepest ? withoutGroupLabels(lines, figureLine) : 0
  const ruled = firstRuledLine(lines, rules, figureLine < 0 ? deepest : Math.min(deepest, figureLine))
  if (ruled === 0) return head
  return figureColumns.size > 1 && head > 0 ? Math.max(ruled, head) : ruled
}

/** The first line below a drawn line over the whole width, 0 for none; lines between all rows tell nothing. */
function firstRuledLine(lines: readonly CellLine[], rules: readonly Segment[], deepest: number): number {
  const drawn = rules.filter((rule) => !rule.soft && isLong(rule, lines))
  if (drawn.length * 2 > lines.length && drawn.length > 2) return 0
  for (let i = 1; i <= deepest; i++) {
    const [above, below] = [lines[i - 1], lines[i]]
    if (above && below && ruleBetween(above, below, drawn)) return i
  }
  return 0
}

/** Lines with nothing but a label right above the first figures head a group of rows. */
function withoutGroupLabels(lines: readonly CellLine[], count: number): number {
  let head = count
  while (head > 1 && lines[head - 1]?.cells.length === 1 && lines[head - 1]?.cells[0]?.first === 0) head--
  return head
}

/** Columns in which more than half of the cells are figures. */
export function columnsOfFigures(lines: readonly CellLine[], columns: number): Set<number> {
  const found = new Set<number>()
  for (let column = 0; column < columns; column++) {
    const cells = lines.flatMap((line) => line.cells.filter((cell) => cell.first === column && cell.last === column))
    const figures = cells.filter((cell) => cell.figure === true).length
    if (figures * 2 > cells.length) found.add(column)
  }
  return found
}
