import type { PageBlock } from '../../../schema/page.ts'
import { halvesAt, type Spelling } from '../survey/spelling.ts'

/** Text and Markdown of a block, with the hyphens that its page took out of words which the document spells with one. */
export function restoreHyphens(block: PageBlock, spelling: Spelling): Pick<PageBlock, 'text' | 'markdown'> {
  let { text, markdown } = block
  // From the end, so that the places before stay as they are.
  for (const place of block.hyphens?.toReversed() ?? []) {
    if (!spelling.keepsHyphen(...halvesAt(block, place.text))) continue
    text = withHyphen(text, place.text)
    markdown = withHyphen(markdown, place.markdown)
  }
  return { text, markdown }
}

const withHyphen = (text: string, at: number): string => `${text.slice(0, at)}-${text.slice(at)}`
