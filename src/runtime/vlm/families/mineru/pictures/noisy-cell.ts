import { mostOf } from './runs.ts'

/** Whether a cell of a chart's table holds what no chart has in one place: too much of it, or the same piece eight times. */
export function isNoisyCell(cell: string): boolean {
  const text = cell.trim()
  if (text.length > 300 || text.split('::').length > 21 || text.split(';').length > 31) return true
  const pieces = text.split(/:::|[;,|]/).map((piece) => piece.replace(/\s+/g, ' ').trim().toLowerCase())
  return mostOf(pieces.filter((piece) => piece.length >= 3)) >= 8
}
