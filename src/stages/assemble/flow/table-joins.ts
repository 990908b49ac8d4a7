import { width } from '../../../geometry/box.ts'
import type { Box } from '../../../schema/geometry.ts'
import type { Table } from '../../../schema/page.ts'
import { captionLabel } from '../../../text/caption.ts'
import { type Draft, isByModel, type Part } from './draft.ts'
import { maxTableCells, type OpenTable, type TableContinuation } from './open-table.ts'

/** Edges of tables without rules vary with what stands in the outer cells. */
const sameEdge = 0.03
const sameRuledEdge = 0.006
/** The difference of two widths, as a part of the smaller one, that makes them two. */
const otherWidth = 0.1

/** What stands between the parts of a table. */
export interface BetweenTables {
  /** A caption that says that the table goes on. */
  readonly continued: boolean
  /** Notes that stand below the upper part and belong to it. */
  readonly notes: number
}

/**
 * Whether `next` continues the table `open` over the end of a page (or of a column, with its header repeated). The columns must be as many, or, where
 * models count them, the rows at the seam must have equally many cells. Then either the header comes again, or the edges agree and `next` has no header
 * of its own. A table under its own, different header is another table. Whether anything stands between is the caller's to know.
 */
export function tableGoesOn(open: Draft, rows: OpenTable, next: Draft, between: BetweenTables): TableContinuation | undefined {
  const table = next.origin.table
  const last = open.parts.at(-1)
  if (!table || !last || open.origin.angle !== next.origin.angle || rows.cellCount + table.cells.length > maxTableCells) return undefined
  const byModels = isByModel(open.tail) && isByModel(next.origin)
  if (table.columns !== rows.columns && !byModels) return undefined
  const skip = rows.repeatedHeader(table)
  if (!isAtBreak(last, next, { skip, byModels })) return undefined
  const columns = table.columns === rows.columns ? undefined : rows.alignment(table, skip)
  if (table.columns !== rows.columns && !columns) return undefined
  const continuation = { skip, completesLastRow: rows.cutsLastRow(table, skip), ...(columns && { columns }) }
  const agrees = byModels ? agreesByModels(rows, table, continuation, between) : skip > 0 || agreesByPlace(last.box, next, rows, table)
  return agrees ? continuation : undefined
}

/** The first part ends low on its page, the next begins high on the following one; in another column only a repeated header counts. */
function isAtBreak(last: Part, next: Draft, { skip, byModels }: { readonly skip: number; readonly byModels: boolean }): boolean {
  const { box, angle } = next.origin
  const [a, b] = [width(box), width(last.box)]
  const sameWidth = Math.abs(a - b) < otherWidth * Math.min(a, b)
  if (next.page.index === last.page) return skip > 0 && sameWidth && box[1] < last.box[3] && box[0] > last.box[2] - 0.02
  if (next.page.index !== last.page + 1) return false
  return angle % 180 === 90 || (last.box[3] >= 0.6 && box[1] <= 0.4 && (sameWidth || (skip === 0 && !byModels)))
}

/** A note ends a table, unless a caption says that it goes on. Models mark no headers: words over columns of figures are one. */
function agreesByModels(rows: OpenTable, table: Table, continuation: TableContinuation, { continued, notes }: BetweenTables): boolean {
  if (notes > (continued ? 1 : 0)) return false
  if (continuation.skip > 0 || continued) return true
  return table.headerRows === 0 ? !rows.hasOwnHeader(table, continuation) : rows.looksLikeData(table)
}

function agreesByPlace(last: Box, next: Draft, rows: OpenTable, table: Table): boolean {
  const [a, b] = next.origin.angle % 180 === 90 ? [1, 3] : [0, 2]
  const off = Math.max(Math.abs((last[a] ?? 0) - (next.origin.box[a] ?? 0)), Math.abs((last[b] ?? 0) - (next.origin.box[b] ?? 0)))
  if (off > sameEdge) return false
  // A page takes the first row of any table for its header: data are known by the columns above.
  return table.headerRows === 0 || rows.looksLikeData(table) || (rows.headerRows === 0 && off <= sameRuledEdge && table.headerRows <= 1 && rows.columns > 1)
}

const continued =
  /(?:[(（]\s*(?:续|续表|续上表|續|続き|continued|cont\.?|cont[’']d|continuación|suite|fortsetzung|forts\.|continua)\s*[)）]|续表|\bcontinued\b[)）]?|\bfortsetzung\b)\s*[.:]?\s*$|^\s*(?:续表|[(（]continued[)）])|[(（]continued[)）]/iu
/** Longer captions are looked at by their ends. */
const longestSaying = 200

/** Whether a text says that a table goes on. */
export function saysContinued(text: string): boolean {
  const ends = text.length <= 2 * longestSaying ? text : `${text.slice(0, longestSaying)}\n${text.slice(-longestSaying)}`
  return continued.test(ends.normalize('NFKC').trim())
}

/** Whether a caption only says that the table above goes on, or says its label again. */
export function isContinuationCaption(text: string, captionsAbove: readonly string[]): boolean {
  if (saysContinued(text)) return true
  const label = captionLabel(text)?.label
  return label !== undefined && captionsAbove.some((above) => captionLabel(above)?.label === label)
}
