import { isSeparatorRow, markdownCells } from './markdown-row.ts'
import { isNoisyCell } from './noisy-cell.ts'

type Row = readonly string[]

interface Table {
  readonly rows: readonly Row[]
  /** A separator stands under its first row. */
  readonly headed: boolean
}

/**
 * The largest sound table of a text, written as `| a | b |`: a header and rows of as many cells. By rows, then columns, then characters, then one with a
 * separator; it may be missing or broken. Noisy rows are passed over. Undefined where there is no table.
 */
export function largestTable(content: string): string | undefined {
  let [best, bestText]: [Table | undefined, string] = [undefined, '']
  for (const table of tablesOf(content)) {
    const text = printTable(table.rows)
    if (best && compare(table, best, text.length - bestText.length) <= 0) continue
    best = table
    bestText = text
  }
  return best && bestText
}

const compare = (a: Table, b: Table, moreText: number): number =>
  a.rows.length - b.rows.length || (a.rows[0]?.length ?? 0) - (b.rows[0]?.length ?? 0) || moreText || Number(a.headed) - Number(b.headed)

/** Runs of rows of the same length, two at least. A separator ends one; the row before it is the header of the next. */
function* tablesOf(content: string): Generator<Table> {
  let run: Row[] = []
  let headed = false
  let inBody = false
  for (const line of content.split('\n')) {
    const cells = markdownCells(line.replace(/\\\||[｜¦]/g, '|'))
    const separates = cells !== undefined && isSeparatorRow(cells)
    if (cells && !separates && inBody && cells.some(isNoisyCell)) continue
    if (!cells || separates || cells.length !== run[0]?.length) {
      if (run.length >= 2) yield { rows: run, headed }
      const header = separates ? run.at(-1) : undefined
      run = header ? [header] : cells && !separates ? [cells] : []
      headed = header !== undefined
      inBody = separates || (inBody && cells !== undefined)
    } else run.push(cells)
  }
  if (run.length >= 2) yield { rows: run, headed }
}

function printTable([header = [], ...body]: readonly Row[]): string {
  return [header, header.map(() => '---'), ...body].map((cells) => `| ${cells.map(cleanCell).join(' | ')} |`).join('\n')
}

function cleanCell(cell: string): string {
  const text = cell.replace(/\s+/g, ' ').trim()
  return text.split('`').length % 2 === 0 ? `${text}\`` : text
}
