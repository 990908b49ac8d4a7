import { height } from '../../../geometry/box.ts'
import { measuredLook, printedLines } from '../survey/block-look.ts'
import { type Draft, isHidden } from './draft.ts'
import { markOf } from './tie-footnotes.ts'

/** A note may stand out of its table's sides by this part of the page. */
const slack = 0.01
/** White above a note, in lines of it. */
const widestGap = 1.5

/**
 * The notes right under a table belong to it: small type in its width, line upon line. Those that their page took for
 * text do when a cell bears their mark; those that it took for footnotes always do.
 */
export function tieTableNotes(drafts: readonly Draft[], bodySizePt: number): void {
  for (const [i, table] of drafts.entries()) {
    if (table.kind !== 'table' || isHidden(table) || table.origin.angle !== 0) continue
    let bottom = table.origin.box[3]
    for (const note of drafts.slice(i + 1)) {
      if (isHidden(note) || (note.kind === 'caption' && note.parent === table.origin.id)) continue
      const { box } = note.origin
      const line = height(box) / printedLines(note.origin, note.page)
      if (box[1] < bottom - slack || box[1] - bottom > widestGap * line || box[0] < table.origin.box[0] - slack || box[2] > table.origin.box[2] + slack) break
      if (note.origin.noteOf === 'page') break
      if (note.kind === 'text' || note.kind === 'list_item') {
        const mark = markOf(note)
        if (mark === undefined || !bearsMark(table, mark) || measuredLook(note.origin, note.page).sizePt > bodySizePt * 0.97) break
        note.kind = 'footnote'
        note.depth = undefined
      }
      if (note.kind !== 'footnote') break
      note.parent = table.origin.id
      bottom = box[3]
    }
  }
}

/** A cell ends in the mark: a letter behind a figure or bracket, a figure behind a letter, a sign behind anything. */
function bearsMark(table: Draft, mark: string): boolean {
  const before = /^\p{L}/u.test(mark) ? /[\d)\]%]$/u : /^\d/u.test(mark) ? /[\p{L})\]%]$/u : /\S$/u
  return table.table?.cells.some(({ text }) => text.endsWith(mark) && before.test(text.slice(0, -mark.length))) ?? false
}
