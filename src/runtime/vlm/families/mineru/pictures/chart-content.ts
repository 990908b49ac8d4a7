import { isRepetitive } from './chart-repetition.ts'
import { largestTable } from './largest-table.ts'
import { isSeparatorRow, markdownCells } from './markdown-row.ts'

/**
 * What is kept of a chart's content. Where the model fell into repetition, its largest sound table; nothing where a table is broken, because wrong figures
 * are worse than none. Text without tables stays.
 */
export function cleanChart(content: string): string {
  const kept = isRepetitive(content) ? (largestTable(content) ?? content) : content
  return hasBrokenTable(kept) ? '' : kept
}

/** A separator without a header like it, a row of another length than its header, or rows without any separator. */
function hasBrokenTable(content: string): boolean {
  const rows = content.split('\n').map((line) => ({ blank: line.trim() === '', cells: markdownCells(line) }))
  let rowCount = 0
  let tableFound = false
  /** The last line that is not blank, and the columns of the table that is open. */
  let above: readonly string[] | undefined
  let columns: number | undefined
  for (const { blank, cells } of rows) {
    if (cells) rowCount++
    if (cells && isSeparatorRow(cells)) {
      if (above?.length !== cells.length) return true
      columns = cells.length
      tableFound = true
    } else if (!cells) columns = undefined
    else if (columns !== undefined && cells.length !== columns) return true
    if (!blank) above = cells
  }
  return rowCount >= 2 && !tableFound
}
