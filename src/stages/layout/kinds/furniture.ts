import { union } from '../../../geometry/box.ts'
import type { BlockKind } from '../../../schema/block-kind.ts'
import { type DraftBlock, draftText } from '../draft-block.ts'
import type { PageContext } from './page-context.ts'

const numberAlone =
  /^(?:[-–—[(|•]\s*)?(?:(?:page|seite|p\.|pág(?:ina)?\.?|pagina|стр\.?|第)\s*)?(?:[A-Z]{0,2}[-–.]?\d{1,6}(?:[-–.:]\d{1,4})?|[ivxlc]{1,6})(?:\s*(?:of|von|de|di|van|\/|из)\s*\d{1,4})?(?:\s*[页頁ページ]+)?(?:\s*[-–—\])|•])?$/iu
const notice = /©|\(c\)\s*\d{4}|copyright|all rights reserved|https?:\/\/|www\.|\bdoi[:.]|\bISSN\b|\bISBN\b/i

/**
 * The kind of a row at the top or foot of the page, where it is sure from this page alone: a page number by itself, or a
 * row with one beside small, slanted or ruled-off type. What is unsure stays text: repetition over the pages of a
 * document decides it later.
 *
 * @param row the blocks that stand in one row.
 */
export function markMarginRow(row: readonly DraftBlock[], place: 'head' | 'foot', context: PageContext): void {
  const kind: BlockKind = place === 'head' ? 'page_header' : 'page_footer'
  const numbers = row.filter((block) => isPageNumber(block))
  const others = row.filter((block) => !numbers.includes(block))
  const chars = others.reduce((sum, block) => sum + draftText(block).length, 0)
  if (numbers.length > 1 || chars > 140) return
  for (const block of numbers) if (others.length > 0 || standsAsPageNumber(block, context)) block.kind = 'page_number'
  const isRuled = row.some((block) => hasRuleBeyond(block, place, context))
  for (const block of others) {
    const look = looksApart(block, context)
    const signs =
      (numbers.length > 0 ? 2 : 0) +
      (namesPage(block, context) ? 3 : 0) +
      (look ? 1 : 0) +
      (isRuled ? 1 : 0) +
      (notice.test(draftText(block)) ? 1 : 0) +
      (isAtEdge(block, context) ? 1 : 0)
    if (signs >= 3) block.kind = kind
  }
}

/**
 * Rows of a running head as blocks: a line close below another at the same left edge goes on with it, so that the head
 * reads the same on a page whose rows could not be taken off one by one.
 *
 * @param rows from top to bottom, the blocks of each from left to right.
 */
export function joinStackedRows(rows: readonly (readonly DraftBlock[])[]): DraftBlock[] {
  const joined: DraftBlock[] = []
  for (const row of rows) {
    const above = [...joined]
    for (const block of row) {
      const before = above.find((other) => isStackedOn(block, other))
      if (!before) {
        joined.push(block)
        continue
      }
      before.lines.push(...block.lines)
      before.box = union(before.box, block.box)
      if (before.kind === 'text') before.kind = block.kind
    }
  }
  return joined
}

function isStackedOn(block: DraftBlock, above: DraftBlock): boolean {
  const [em, emAbove] = [block.lines[0]?.em ?? 10, above.lines.at(-1)?.em ?? 10]
  if (block.kind === 'page_number' || above.kind === 'page_number' || Math.abs(em - emAbove) > 0.08 * em) return false
  return Math.abs(block.box[0] - above.box[0]) < 0.5 * em && block.box[1] - above.box[3] < 0.9 * em
}

export const isPageNumber = (block: DraftBlock): boolean => numberAlone.test(draftText(block).trim())

/** "… page 3" on the third page. */
function namesPage(block: DraftBlock, context: PageContext): boolean {
  const found = /(?:^|[\s|–—-])(?:page|p\.|seite|s\.|página|pagina|стр\.)\s*(\d{1,5})(?:\s*(?:of|von|de|di|van|\/|из)\s*\d{1,5})?$/iu.exec(
    draftText(block).trim(),
  )
  return found?.[1] !== undefined && Number(found[1]) === context.pageIndex + 1
}

/** A number by itself is the page's when it stands in the middle or at an outer edge. */
function standsAsPageNumber(block: DraftBlock, context: PageContext): boolean {
  const text = draftText(block).trim()
  if (/^\d{4}$/.test(text) && context.pageCount < 1000) return false
  const middle = (block.box[0] + block.box[2]) / 2 / context.width
  return Math.abs(middle - 0.5) < 0.08 || middle > 0.75 || middle < 0.25
}

/** Not the type of the body. */
function looksApart(block: DraftBlock, context: PageContext): boolean {
  const line = block.lines[0]
  if (!line || line.text === '') return false
  if (line.em > 1.15 * context.body.sizePt) return false
  return line.em < 0.95 * context.body.sizePt || (line.italic > 0.8 && !context.body.italic) || (line.style?.font !== context.body.font && line.bold < 0.5)
}

/** Within the outer fourteenth of the page: nearer to its edge than text goes. */
const isAtEdge = (block: DraftBlock, context: PageContext): boolean => block.box[3] < context.height / 14 || block.box[1] > (context.height * 13) / 14

/** A rule between the row and the text. */
function hasRuleBeyond(block: DraftBlock, place: 'head' | 'foot', context: PageContext): boolean {
  return context.page.rules.some((rule) => {
    if (rule.direction !== 'horizontal' || rule.to - rule.from < 0.3 * context.width) return false
    const distance = place === 'head' ? rule.at - block.box[3] : block.box[1] - rule.at
    return distance > -3 && distance < 14
  })
}
