import { width } from '../../../geometry/box.ts'
import type { Draft } from './draft.ts'

/**
 * Whether a block whose model says that its text goes on from the text before it is joined to that, `open`. The model looks at one page only and says
 * so too often, so both must look like halves: the first open, the second beginning like a rest, columns of one width to a factor of two, and the
 * second beside the first or in the next column. Over the end of a page the place tells nothing, and the words decide alone.
 */
export function goesOnByModel(open: Draft, next: Draft): boolean {
  const last = open.parts.at(-1)
  if (!next.origin.continues || !last || open.kind !== 'text' || next.kind !== 'text' || open.origin.angle !== next.origin.angle) return false
  if (closes.test(open.text.slice(-longestEnd)) || beginsAnew.test(next.text)) return false
  const [a, b] = [width(last.box), width(next.origin.box)]
  if (Math.abs(a - b) >= Math.min(a, b)) return false
  return next.page.index === last.page ? next.origin.box[1] < last.box[3] : next.page.index === last.page + 1
}

const longestEnd = 20
/** Ends of sentences, brackets, quotations and announcements. */
const closes = /[.!?。！？)）"”:：;；]\s*$/u
const beginsAnew = /^\s*[\p{Nd}\p{Lu}]/u
