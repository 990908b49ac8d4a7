import { furnitureKinds } from '../../../schema/block-kind.ts'
import type { PageResult } from '../../../schema/page.ts'
import type { HeadingRules } from '../survey/survey.ts'
import { type Draft, isHidden } from './draft.ts'

/** Headings are emphasised as they are. A printed asterisk stands behind a backslash. */
const emphasisMarks = /(?<!\\)\*{1,3}/g

/** Gives headings their level in the document, finds those that their page missed and takes back those that are none. */
export function levelHeadings(drafts: readonly Draft[], page: PageResult, headings: HeadingRules): void {
  for (const draft of drafts) {
    if (furnitureKinds.has(draft.kind) || isHidden(draft)) continue
    const level = headings.level(draft.origin, page)
    if (level !== undefined) {
      if (draft.kind !== 'heading') {
        draft.markdown = draft.markdown.replace(emphasisMarks, '').replaceAll('\\\n', ' ')
        draft.text = draft.text.replaceAll('\n', ' ')
      }
      draft.kind = 'heading'
      draft.level = level
    } else if (draft.kind === 'heading') draft.kind = 'text'
  }
}
