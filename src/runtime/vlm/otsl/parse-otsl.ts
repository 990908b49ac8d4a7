import type { ModelCell, ModelTable } from '../../../schema/vlm-block.ts'
import { type OtslPiece, otslPieces } from './otsl-pieces.ts'

/** Bounds of a table: an answer of a few thousand tokens cannot fill them unless it is padded on purpose. */
export const mostColumns = 512
export const mostPlaces = 65_536

export interface OtslTable {
  readonly table: ModelTable
  /** Words stood where no cell is: before the first token or after the end of a row. They are not in the table. */
  readonly lostText: boolean
  /** The table went over its bounds and was cut back to them. */
  readonly overBounds: boolean
}

/**
 * Reads a table in OTSL; undefined where there is no cell. Text belongs to the token before it, so a stray word cannot shift those that follow. Short
 * rows are filled up at the right. Spans that overlap are cut back and what no cell covers is an empty cell, so that the cells tile the grid. Takes time
 * in proportion to the text and the grid.
 */
export function parseOtsl(answer: string, cut = false): OtslTable | undefined {
  const { preface, pieces } = otslPieces(answer, cut)
  const rows = rowsOf(pieces)
  const widest = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (!pieces.some(opens)) return undefined
  const columns = Math.min(widest, mostColumns)
  const kept = rows.slice(0, Math.floor(mostPlaces / columns)).map((row) => row.slice(0, columns))
  return {
    table: { rows: kept.length, columns, cells: tile(kept, columns) },
    lostText: preface !== '' || pieces.some(({ token, text }) => token === 'nl' && text !== ''),
    overBounds: widest > columns || rows.length > kept.length,
  }
}

/** Runs of tokens between ends of rows; an empty run is no row. */
function rowsOf(pieces: readonly OtslPiece[]): OtslPiece[][] {
  const rows: OtslPiece[][] = []
  let row: OtslPiece[] = []
  for (const piece of pieces) {
    if (piece.token !== 'nl') row.push(piece)
    else if (row.length > 0) {
      rows.push(row)
      row = []
    }
  }
  if (row.length > 0) rows.push(row)
  return rows
}

interface OpenCell {
  readonly row: number
  readonly column: number
  readonly rowSpan: number
  readonly columnSpan: number
  readonly texts: string[]
}

function tile(rows: readonly (readonly OtslPiece[])[], columns: number): ModelCell[] {
  const owners: (OpenCell | undefined)[] = new Array(rows.length * columns).fill(undefined)
  const cells: OpenCell[] = []
  rows.forEach((pieces, row) => {
    for (let column = 0; column < columns; column++) {
      const piece = pieces[column]
      let owner = owners[row * columns + column]
      if (!owner) {
        owner = { row, column, ...(opens(piece) ? spanAt(rows, owners, row, column, columns) : { rowSpan: 1, columnSpan: 1 }), texts: [] }
        claim(owners, owner, columns)
        cells.push(owner)
      }
      if (piece && piece.text !== '') owner.texts.push(piece.text)
    }
  })
  return cells.map(({ texts, ...place }) => ({ ...place, header: false, text: texts.join(' ') }))
}

/** Where a row ends before its table does is an empty cell. */
const opens = (piece: OtslPiece | undefined): boolean => !piece || piece.token === 'fcel' || piece.token === 'ecel'

/** How far a cell reaches: right over `lcel` and `xcel`, down over `ucel` and `xcel`, as long as each place of the rectangle is free and opens no cell. */
function spanAt(
  rows: readonly (readonly OtslPiece[])[],
  owners: readonly (OpenCell | undefined)[],
  row: number,
  column: number,
  columns: number,
): { rowSpan: number; columnSpan: number } {
  const goesOn = (r: number, c: number, along: 'lcel' | 'ucel'): boolean => {
    const token = rows[r]?.[c]?.token
    return (token === along || token === 'xcel') && !owners[r * columns + c]
  }
  let columnSpan = 1
  while (goesOn(row, column + columnSpan, 'lcel')) columnSpan++
  let rowSpan = 1
  while (goesOn(row + rowSpan, column, 'ucel') && restIsFree(rows, owners, (row + rowSpan) * columns, row + rowSpan, column, columnSpan)) rowSpan++
  return { rowSpan, columnSpan }
}

function restIsFree(
  rows: readonly (readonly OtslPiece[])[],
  owners: readonly (OpenCell | undefined)[],
  rowStart: number,
  row: number,
  column: number,
  columnSpan: number,
): boolean {
  for (let at = column + 1; at < column + columnSpan; at++) {
    if (opens(rows[row]?.[at]) || owners[rowStart + at]) return false
  }
  return true
}

function claim(owners: (OpenCell | undefined)[], cell: OpenCell, columns: number): void {
  for (let row = cell.row; row < cell.row + cell.rowSpan; row++) owners.fill(cell, row * columns + cell.column, row * columns + cell.column + cell.columnSpan)
}
