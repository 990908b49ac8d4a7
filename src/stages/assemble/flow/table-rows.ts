import type { Table, TableCell } from '../../../schema/page.ts'

/** The cells that begin in a row, from left to right. */
export const rowOf = (table: Pick<Table, 'cells'>, row: number): TableCell[] => table.cells.filter((c) => c.row === row).sort((a, b) => a.column - b.column)

/** The cells that stand in a row, those that reach into it from above included, from left to right. */
export const segmentsOf = (cells: readonly TableCell[], row: number): TableCell[] =>
  cells.filter((c) => c.row <= row && row < c.row + c.rowSpan).sort((a, b) => a.column - b.column)

export const isBlank = (cell: TableCell): boolean => cell.text.trim() === ''

/** Cell for cell in the same columns with the same words. */
export const sameRow = (a: readonly TableCell[], b: readonly TableCell[]): boolean =>
  sameWords(a, b) && a.every((cell, i) => cell.column === b[i]?.column && cell.columnSpan === b[i]?.columnSpan)

/** Equally many cells with the same words, some of them written. */
export const sameWords = (a: readonly TableCell[], b: readonly TableCell[]): boolean =>
  a.length > 0 && a.length === b.length && !a.every(isBlank) && a.every((cell, i) => folded(cell.text) === folded(b[i]?.text ?? ''))

export const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, '')

/** Longer texts are no figures, whatever they are made of. */
const longestFigure = 100

/** Figures, amounts, percentages, dates in figures. */
export const isNumeric = (text: string): boolean =>
  text.length <= longestFigure && /^[\s(~<>≈±+−–-]*[$€£¥]?\s*\d[\d\s.,:'’/%°()–−-]*(?:[kKmM]|USD|EUR|[$€£¥%])?\s*$/u.test(text)

/** The most leading rows, not above `most`, that no cell reaches out of. */
export function wholeRows(table: Pick<Table, 'cells'>, most: number): number {
  let rows = most
  for (let changed = true; changed && rows > 0; ) {
    const reaching = table.cells.filter((c) => c.row < rows && c.row + c.rowSpan > rows)
    changed = reaching.length > 0
    if (changed) rows = Math.min(...reaching.map((c) => c.row))
  }
  return rows
}
