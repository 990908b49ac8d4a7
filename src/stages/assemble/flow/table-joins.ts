import { width } from '../../../geometry/box.ts'
import type { Box } from '../../../schema/geometry.ts'
import type { Table } from '../../../schema/page.ts'
import { captionLabel } from '../../../text/caption.ts'
import type { Draft } from './draft.ts'
import { maxTableCells, type OpenTable } from './open-table.ts'

/** How a table goes on: rows of repeated header to leave out, and whether the next row completes the last one. */
export interface TableContinuation {
  readonly skip: number
  readonly completesLastRow: boolean
}

/** Edges of tables without rules vary with what stands in the outer cells. */
const sameEdge = 0.03
const sameRuledEdge = 0.006

/**
 * Whether `next` continues the table `open` over the end of a page (or of a column, with its header repeated).
 * Column counts must be equal; then either the header comes again, or the edges agree and `next` has no header
 * of its own. A table under its own, different header is another table. Whether anything stands between is the
 * caller's to know.
 */
export function tableGoesOn(open: Draft, rows: OpenTable, next: Draft): TableContinuation | undefined {
  const table = next.origin.table
  const last = open.parts.at(-1)
  if (!table || !last || table.columns !== rows.columns || open.origin.angle !== next.origin.angle) return undefined
  if (rows.cellCount + table.cells.length > maxTableCells) return undefined
  const skip = rows.repeatedHeader(table)
  if (!isAtBreak(last, next, skip)) return undefined
  if (skip === 0 && !agrees(last.box, next, rows, table)) return undefined
  return { skip, completesLastRow: rows.cutsLastRow(table, skip) }
}

/** The first part ends low on its page, the next begins high on the following one; in another column only a repeated header counts. */
function isAtBreak(last: { readonly page: number; readonly box: Box }, next: Draft, skip: number): boolean {
  const { box, angle } = next.origin
  const sameWidth = Math.abs(width(box) - width(last.box)) <= 0.1 * Math.max(width(box), width(last.box))
  if (next.page.index === last.page) return skip > 0 && sameWidth && box[1] < last.box[3] && box[0] > last.box[2] - 0.02
  if (next.page.index !== last.page + 1) return false
  return angle % 180 === 90 || (last.box[3] >= 0.6 && box[1] <= 0.4 && (skip === 0 || sameWidth))
}

function agrees(last: Box, next: Draft, rows: OpenTable, table: Table): boolean {
  const [a, b] = next.origin.angle % 180 === 90 ? [1, 3] : [0, 2]
  const off = Math.max(Math.abs((last[a] ?? 0) - (next.origin.box[a] ?? 0)), Math.abs((last[b] ?? 0) - (next.origin.box[b] ?? 0)))
  if (off > sameEdge) return false
  // A page takes the first row of any table for its header: data are known by the columns above.
  return table.headerRows === 0 || rows.looksLikeData(table) || (rows.headerRows === 0 && off <= sameRuledEdge && table.headerRows <= 1 && rows.columns > 1)
}

const continued =
  /(?:[(（]\s*(?:续|续表|续上表|續|続き|continued|cont\.?|cont[’']d|continuación|suite|fortsetzung|forts\.|continua)\s*[)）]|续表|\bcontinued\b|\bfortsetzung\b)\s*[.:]?\s*$|^\s*(?:续表|[(（]continued[)）])|[(（]continued[)）]/iu

/** Whether a caption only says that the table above goes on, or says its label again. */
export function isContinuationCaption(text: string, captionsAbove: readonly string[]): boolean {
  if (continued.test(text)) return true
  const label = captionLabel(text)?.label
  return label !== undefined && captionsAbove.some((above) => captionLabel(above)?.label === label)
}
