import type { PageResult } from '../../../schema/page.ts'
import type { Survey } from '../survey/survey.ts'
import { type Draft, draftOf } from './draft.ts'
import { joinTitle } from './join-title.ts'
import { levelHeadings } from './level-headings.ts'
import { markFurniture } from './mark-furniture.ts'
import { tieModelNotes } from './model-notes.ts'
import { ListNesting } from './nest-lists.ts'
import { promoteCaptions } from './promote-captions.ts'
import { tieTableNotes } from './table-notes.ts'
import { tieCaptions } from './tie-captions.ts'
import { type NoteCounter, tieFootnotes } from './tie-footnotes.ts'

/** Pass 2 for one page after the other: every block of a page becomes one draft, with all that its page and the survey say of it. */
export class PageDrafts {
  readonly #survey: Survey
  readonly #lists = new ListNesting()
  readonly #notes: NoteCounter = { last: 0 }

  constructor(survey: Survey) {
    this.#survey = survey
  }

  of(page: PageResult): Draft[] {
    const drafts = page.blocks.map((block) => draftOf(block, page, this.#survey.spelling))
    markFurniture(drafts, page, this.#survey)
    levelHeadings(drafts, page, this.#survey.headings)
    joinTitle(drafts, this.#survey)
    promoteCaptions(drafts)
    tieCaptions(drafts)
    tieModelNotes(drafts)
    tieTableNotes(drafts, this.#survey.furniture.bodySizePt)
    tieFootnotes(drafts, this.#notes)
    this.#lists.nest(drafts)
    return drafts
  }
}
