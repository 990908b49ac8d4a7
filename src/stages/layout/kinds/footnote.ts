import type { DraftBlock } from '../draft-block.ts'
import { firstText } from '../draft-block.ts'
import { beginsRaised } from '../lines/raised.ts'
import type { PageContext } from './page-context.ts'

const signs = /^(?:[*†‡§¶‖#]{1,3}|\d{1,3}|[a-z])(?:[\s.)]|(?=\p{Lu}))/u

/**
 * Marks footnotes: small type at the foot of a column that begins with a mark, or stands under a short rule. What
 * follows a footnote in the same column in the same small type belongs to the notes as well.
 */
export function markFootnotes(blocks: readonly DraftBlock[], context: PageContext): void {
  let before: DraftBlock | undefined
  for (const [i, block] of blocks.entries()) {
    if (block.kind === 'footnote') {
      before = block
      setMark(block, context)
    } else if (block.kind !== 'text' && block.kind !== 'list_item') {
      if (block.kind !== 'formula' && block.kind !== 'aside') before = undefined
    }
    if (block.kind !== 'text' && block.kind !== 'list_item') continue
    const first = block.lines[0]
    if (!first || first.text === '') continue
    const begins = first.em < 0.95 * context.body.sizePt && endsPage(block, blocks, i) && isNoteStart(block, context)
    if (!begins && !isMoreOf(before, block)) {
      before = undefined
      continue
    }
    before = block
    block.kind = 'footnote'
    delete block.depth
    setMark(block, context)
  }
}

function setMark(block: DraftBlock, context: PageContext): void {
  delete block.marker
  const mark = hasMark(block, context) ? noteMark(block, context) : undefined
  if (mark) block.marker = mark
}

/** Same column, same small type. */
function isMoreOf(before: DraftBlock | undefined, block: DraftBlock): boolean {
  const em = before?.lines[0]?.em
  return em !== undefined && before?.column === block.column && Math.abs((block.lines[0]?.em ?? 0) - em) < 0.12 * em
}

/** The mark as printed: a raised word, the raised beginning of a word, or a sign. */
function noteMark(block: DraftBlock, context: PageContext): string | undefined {
  const index = block.lines[0]?.atoms[0]?.words?.[0]
  const word = index === undefined ? undefined : context.page.words[index]
  if (!word) return undefined
  if (word.raised) return word.text
  const end = word.runs?.find((run) => run.start > 0 && run.raised === undefined)?.start
  if (beginsRaised(word) && end !== undefined) return word.text.slice(0, end)
  return signs.exec(firstText(block))?.[0].trim()
}

/** A mark or a rule is enough in the lower half of the page; long notes that begin higher need both. */
function isNoteStart(block: DraftBlock, context: PageContext): boolean {
  const marked = hasMark(block, context)
  const ruled = isUnderRule(block, context)
  return block.box[1] > 0.5 * context.height ? marked || ruled : marked && ruled && block.box[1] > 0.2 * context.height
}

/** Only small type, page furniture or nothing follows in the column. */
function endsPage(block: DraftBlock, blocks: readonly DraftBlock[], at: number): boolean {
  const em = block.lines[0]?.em ?? 10
  for (let i = at + 1; i < blocks.length; i++) {
    const next = blocks[i]
    if (!next || next.column !== block.column) return true
    if (next.kind === 'page_footer' || next.kind === 'page_number' || next.kind === 'page_header' || next.kind === 'aside') continue
    if ((next.lines[0]?.em ?? Infinity) > 1.1 * em) return false
  }
  return true
}

function hasMark(block: DraftBlock, context: PageContext): boolean {
  const index = block.lines[0]?.atoms[0]?.words?.[0]
  const word = index === undefined ? undefined : context.page.words[index]
  if (word && beginsRaised(word)) return true
  return signs.test(firstText(block))
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
