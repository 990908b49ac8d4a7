import { isFigure } from '../../../text/is-figure.ts'
import { listMarker } from '../../../text/list-marker.ts'
import type { AlignedGrid } from './aligned-grid.ts'
import { median } from './column-gaps.ts'
import { columnCount, type Grid, rowCount } from './grid.ts'
import type { LineCell } from './line-cells.ts'
import { textOf } from './text-lines.ts'

/** What speaks for and against a table where white space decides. Shares are 0..1. */
export interface Evidence {
  readonly rows: number
  readonly columns: number
  /** Rows with something in two columns at least. */
  readonly fullRows: number
  /** Places of the grid that hold something. */
  readonly filled: number
  /** Cells beside the first column that are figures. */
  readonly figures: number
  /** Columns whose cells share a left, right or middle. */
  readonly aligned: number
  /** Columns of running text. */
  readonly wordy: number
  /** A column before the last holds bullets or numbers of a list. */
  readonly isList: boolean
  /** Entries with leaders or ascending page numbers. */
  readonly isContents: boolean
  readonly isEquations: boolean
  /** All cells follow one pattern but for their digits. */
  readonly isPattern: boolean
  /** Known text, not regions of a picture. */
  readonly known: boolean
}

export function weigh(aligned: AlignedGrid, symbolic: number): Evidence {
  const { grid, lines } = aligned
  const columns = columnCount(grid)
  const byColumn: LineCell[][] = Array.from({ length: columns }, () => [])
  for (const line of lines) for (const cell of line.cells) if (cell.first === cell.last) byColumn[cell.first]?.push(cell)
  const em = median(lines.map((line) => line.sizePt))
  const texts = byColumn.map((cells) => cells.map((cell) => textOf(cell.bits)))
  const beside = byColumn.slice(1).flat()
  const known = beside.filter((cell) => cell.figure !== undefined)
  const all = texts.flat()
  return {
    rows: rowCount(grid),
    columns,
    fullRows: fullRows(grid),
    filled: grid.cells.reduce((sum, cell) => sum + (cell.bits.length > 0 ? cell.rowSpan * cell.columnSpan : 0), 0) / (columns * rowCount(grid)),
    figures: known.filter((cell) => cell.figure).length / Math.max(1, known.length),
    aligned: byColumn.filter((cells) => isAligned(cells, em)).length / columns,
    wordy: byColumn.filter((cells) => isWordy(cells, em)).length,
    isList: columns <= 3 && texts.slice(0, -1).some((column) => column.length > 1 && share(column, isMarker) > 0.6),
    isContents: isContents(texts),
    isEquations: symbolic > 0.3 || share(all, (text) => /^[=≈≤≥:]|[=≈]$|\s=\s/u.test(text)) > 0.25,
    isPattern: all.length >= 4 && new Set(all.map((text) => text.replace(/\d+/g, '#'))).size === 1,
    known: known.length > 0,
  }
}

function fullRows(grid: Grid): number {
  const counts = new Map<number, number>()
  for (const cell of grid.cells) if (cell.bits.length > 0) counts.set(cell.row, (counts.get(cell.row) ?? 0) + 1)
  return [...counts.values()].filter((count) => count >= 2).length
}

const share = <T>(items: readonly T[], test: (item: T) => boolean): number => (items.length === 0 ? 0 : items.filter(test).length / items.length)

function isAligned(cells: readonly LineCell[], em: number): boolean {
  if (cells.length < 2) return true
  const places = [(c: LineCell) => c.x0, (c: LineCell) => c.x1, (c: LineCell) => (c.x0 + c.x1) / 2]
  return places.some((place) => {
    const usual = median(cells.map(place))
    return share(cells, (cell) => Math.abs(place(cell) - usual) < 0.5 * em) >= 0.65
  })
}

/** Lines of running text: long, and most of them as long as the column is wide. */
function isWordy(cells: readonly LineCell[], em: number): boolean {
  if (cells.length < 3) return false
  const widths = cells.map((cell) => cell.x1 - cell.x0)
  const widest = Math.max(...widths)
  const words = cells.filter((cell) => cell.figure !== true).length
  return widest > 11 * em && words * 2 > cells.length && share(widths, (width) => width > 0.75 * widest) > 0.5
}

function isMarker(text: string): boolean {
  const marker = listMarker(text)
  return (marker !== undefined && marker.rest === '') || /^[[(]?\d{1,3}[\]).]$|^\[\w{1,8}\]$/u.test(text)
}

/** Leaders between entry and page number, or page numbers that never fall in a last column beside words. */
function isContents(texts: readonly (readonly string[])[]): boolean {
  const leaders = texts.flat().filter((text) => /(?:\.\s?){4,}|…{2,}|_{4,}/u.test(text)).length
  const rows = Math.max(...texts.map((column) => column.length))
  if (leaders >= 0.4 * rows) return texts.length <= 3 || leaders > rows
  if (texts.length > 3) return false
  const last = texts.at(-1) ?? []
  if (last.length < 3 || !last.every((text) => /^\d{1,4}$|^[ivxlc]+$/iu.test(text))) return false
  const pages = last.filter((text) => /^\d/.test(text)).map(Number)
  const rising = pages.every((page, i) => i === 0 || page >= (pages[i - 1] ?? 0))
  return rising && share(texts[texts.length - 2] ?? [], (text) => isFigure(text) === false) > 0.7
}

/** Enough for a table between ruling lines or painted rows: columns that hold, and no running text. */
export function isRuledTable(e: Evidence): boolean {
  if (e.rows < 2 || e.columns < 2 || e.isList || e.isContents) return false
  if (e.wordy >= 2 && e.wordy * 2 >= e.columns) return false
  if (e.isEquations && e.figures < 0.3) return false
  return e.aligned >= 0.5 && e.filled >= 0.25 && e.fullRows >= 2 && e.fullRows * 2 >= e.rows
}

/** Enough for a table without any line: it must look like one in every respect, for prose has chance alignments. */
export function isWhiteTable(e: Evidence, hasHeader: boolean): boolean {
  if (e.columns < 2 || e.fullRows < 2 || e.isList || e.isContents || e.isEquations || e.wordy > 0) return false
  if (e.isPattern) return true
  if (e.aligned < 0.75 || e.filled < 0.35) return false
  if (!e.known) return e.columns >= 3 && e.rows >= 3 && e.filled >= 0.5
  if (e.columns === 2) return e.fullRows >= 3 && e.filled >= 0.75 && (e.figures >= 0.6 || (hasHeader && e.rows >= 4))
  if (e.fullRows === 2) return e.filled >= 0.8 && e.figures >= 0.5 && hasHeader
  return e.figures >= 0.25 || hasHeader
}
