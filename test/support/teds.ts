import type { TableCell } from '../../src/schema/page.ts'

/** A cell of a tree: text without blanks, rows and columns it covers. */
export interface TedsCell {
  readonly text: string
  readonly rowSpan: number
  readonly columnSpan: number
}

/** Rows of cells in reading order: the tree table > row > cell. */
export type TedsTree = readonly (readonly TedsCell[])[]

/**
 * Tree-edit-distance similarity of two tables, 0..1: one less the edit distance of the trees over the size of the larger one.
 * A cell renamed to one with other spans costs 1, else the edit distance of the texts over the longer text.
 * Source: Zhong, ShafieiBavani, Jimeno Yepes, "Image-based table recognition: data, model, and evaluation" (2020).
 */
export function teds(a: TedsTree, b: TedsTree): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0
  const size = Math.max(nodeCount(a), nodeCount(b))
  return Math.max(0, 1 - alignRows(a, b) / size)
}

/**
 * The tree of a table: positions that no cell covers become empty cells; rows and columns without any text are left out,
 * since no two annotators agree on them.
 */
export function tedsTree(cells: readonly Omit<TableCell, 'header'>[]): TedsTree {
  const at = new Map<string, Omit<TableCell, 'header'>>()
  let rows = 0
  let columns = 0
  for (const cell of cells) {
    for (let r = cell.row; r < cell.row + cell.rowSpan; r++) {
      for (let c = cell.column; c < cell.column + cell.columnSpan; c++) {
        if (!at.has(`${r} ${c}`)) at.set(`${r} ${c}`, cell)
        rows = Math.max(rows, r + 1)
        columns = Math.max(columns, c + 1)
      }
    }
  }
  const hasText = (r: number, c: number) => tight(at.get(`${r} ${c}`)?.text ?? '') !== ''
  const keptRows = range(rows).filter((r) => range(columns).some((c) => hasText(r, c)))
  const keptColumns = range(columns).filter((c) => range(rows).some((r) => hasText(r, c)))
  const seen = new Set<object>()
  return keptRows.map((r) => {
    const line: TedsCell[] = []
    for (const c of keptColumns) {
      const cell = at.get(`${r} ${c}`)
      if (!cell) line.push({ text: '', rowSpan: 1, columnSpan: 1 })
      else if (!seen.has(cell)) {
        seen.add(cell)
        const rowSpan = keptRows.filter((x) => x >= cell.row && x < cell.row + cell.rowSpan).length
        const columnSpan = keptColumns.filter((x) => x >= cell.column && x < cell.column + cell.columnSpan).length
        line.push({ text: tight(cell.text), rowSpan, columnSpan })
      }
    }
    return line
  })
}

/** As `tedsTree` of a table whose spans are spelt out: each place has a text of its own, repeated over a span or not. */
export function spelledOut(cells: readonly Omit<TableCell, 'header'>[], repeat: boolean): Omit<TableCell, 'header'>[] {
  return cells.flatMap((cell) =>
    range(cell.rowSpan).flatMap((r) =>
      range(cell.columnSpan).map((c) => ({
        row: cell.row + r,
        column: cell.column + c,
        rowSpan: 1,
        columnSpan: 1,
        text: repeat || (r === 0 && c === 0) ? cell.text : '',
      })),
    ),
  )
}

export const tight = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\u00ad]/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .toLowerCase()

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i)
const nodeCount = (tree: TedsTree): number => tree.reduce((sum, row) => sum + row.length + 1, 1)

/**
 * The edit distance of ordered trees of this fixed depth: rows are kept in order, and cells in order within a row, so that the
 * general algorithm comes down to two nested alignments. A row may only be matched with a row.
 */
function alignRows(a: TedsTree, b: TedsTree): number {
  return align(
    a,
    b,
    (row) => row.length + 1,
    (x, y) => align(x, y, () => 1, cellCost),
  )
}

function align<T>(a: readonly T[], b: readonly T[], drop: (item: T) => number, swap: (x: T, y: T) => number): number {
  let line = [0]
  for (const y of b) line.push((line.at(-1) ?? 0) + drop(y))
  for (const x of a) {
    const next = [(line[0] ?? 0) + drop(x)]
    for (const [k, y] of b.entries()) {
      next.push(Math.min((line[k + 1] ?? 0) + drop(x), (next[k] ?? 0) + drop(y), (line[k] ?? 0) + swap(x, y)))
    }
    line = next
  }
  return line.at(-1) ?? 0
}

function cellCost(x: TedsCell, y: TedsCell): number {
  if (x.rowSpan !== y.rowSpan || x.columnSpan !== y.columnSpan) return 1
  if (x.text === y.text) return 0
  return editDistance(x.text, y.text) / Math.max(x.text.length, y.text.length)
}

export function editDistance(a: string, b: string): number {
  let line = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min((line[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (line[j] ?? 0) + (a[i] === b[j] ? 0 : 1)))
    }
    line = next
  }
  return line[b.length] ?? 0
}
