import type { DraftBlock } from '../draft-block.ts'
import { draftText } from '../draft-block.ts'
import type { PageContext } from './page-context.ts'

const signs = /^(?:[*†‡§¶‖#]{1,3}|\d{1,3}|[a-z])(?:[\s.)]|(?=\p{Lu}))/u

/**
 * Marks footnotes: small type at the foot of a column that begins with a mark, or stands under a short rule. What
 * follows a footnote in the same column in the same small type belongs to the notes as well.
 */
export function markFootnotes(blocks: readonly DraftBlock[], context: PageContext): void {
  let column: DraftBlock['column'] | undefined
  let inNotes = false
  let noteEm = 0
  for (const [i, block] of blocks.entries()) {
    if (block.column !== column) {
      column = block.column
      inNotes = false
    }
    if (block.kind !== 'text' && block.kind !== 'list_item') {
      if (block.kind === 'heading' || block.kind === 'table' || block.kind === 'figure') inNotes = false
      continue
    }
    const first = block.lines[0]
    if (!first || first.text === '') continue
    const isSmall = first.em < 0.95 * context.body.sizePt
    const begins = isSmall && isLow(block, context) && endsPage(block, blocks.slice(i + 1)) && (hasMark(block, context) || isUnderRule(block, context))
    if (begins) {
      inNotes = true
      noteEm = first.em
    }
    if (inNotes && Math.abs(first.em - noteEm) < 0.12 * noteEm) {
      block.kind = 'footnote'
      delete block.depth
      if (hasMark(block, context)) block.marker ??= /^\S{1,3}/.exec(draftText(block))?.[0] ?? ''
      if (block.marker === '' || (block.marker !== undefined && block.marker.length > 3)) delete block.marker
    } else inNotes = false
  }
}

/** In the lower part of the page. */
const isLow = (block: DraftBlock, context: PageContext): boolean => block.box[1] > 0.5 * context.height

/** Only small type, page furniture or nothing follows in the column. */
function endsPage(block: DraftBlock, after: readonly DraftBlock[]): boolean {
  const em = block.lines[0]?.em ?? 10
  for (const next of after) {
    if (next.column !== block.column) return true
    if (next.kind === 'page_footer' || next.kind === 'page_number' || next.kind === 'page_header' || next.kind === 'aside') continue
    if ((next.lines[0]?.em ?? Infinity) > 1.1 * em) return false
  }
  return true
}

function hasMark(block: DraftBlock, context: PageContext): boolean {
  const index = block.lines[0]?.atoms[0]?.words?.[0]
  const word = index === undefined ? undefined : context.page.words[index]
  if (word?.raised === 'super' || word?.runs?.[0]?.raised === 'super') return true
  return signs.test(draftText(block))
}

/** A rule shorter than the column just above, at its left. */
function isUnderRule(block: DraftBlock, context: PageContext): boolean {
  const em = block.lines[0]?.em ?? 10
  return context.page.rules.some(
    (rule) =>
      rule.direction === 'horizontal' &&
      rule.at < block.box[1] + 0.4 * em &&
      block.box[1] - rule.at < 2 * em &&
      rule.from > block.column[0] - 3 * em &&
      rule.from < block.column[0] + 3 * em &&
      rule.to - rule.from > 3 * em,
  )
}
