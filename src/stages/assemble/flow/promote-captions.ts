import { height, overlapY, width } from '../../../geometry/box.ts'
import { furnitureKinds } from '../../../schema/block-kind.ts'
import { printedLines } from '../survey/block-look.ts'
import { type Draft, isByModel, isHidden } from './draft.ts'
import { saysContinued } from './table-joins.ts'

/**
 * Makes captions of single lines that a model took for text: one that leads its page, right above a table, and says that the table goes on; one between
 * a caption and the table below it; one beside a caption, above what that belongs to.
 */
export function promoteCaptions(drafts: readonly Draft[]): void {
  const shown = drafts.filter((d) => !furnitureKinds.has(d.kind) && !isHidden(d))
  for (const [i, draft] of shown.entries()) {
    const [before, next] = [shown[i - 1], shown[i + 1]]
    if (!next || !isByModel(draft.origin) || (draft.kind !== 'text' && draft.kind !== 'footnote')) continue
    if (printedLines(draft.origin, draft.page) > 1 || !standsAbove(draft, next)) continue
    const saysSo = !before && next.kind === 'table' && saysContinued(draft.text)
    if (saysSo || (before?.kind === 'caption' && (isBelow(before, draft) ? next.kind === 'table' : visual.has(next.kind) && isBeside(before, draft)))) {
      draft.kind = 'caption'
    }
  }
}

const visual: ReadonlySet<string> = new Set(['figure', 'chart', 'table', 'code', 'algorithm'])
/** White between lines that belong together: parts of a line. */
const widestGap = 1.5
const smallestSlack = 0.015

function standsAbove(draft: Draft, next: Draft): boolean {
  const gap = next.origin.box[1] - draft.origin.box[3]
  return gap > -smallestSlack && gap <= Math.max(smallestSlack, widestGap * height(draft.origin.box))
}

const isBelow = (before: Draft, draft: Draft): boolean => draft.origin.box[1] >= before.origin.box[3] - smallestSlack / 3 && standsAbove(before, draft)

/** On one line with it, not in another column. */
function isBeside(before: Draft, draft: Draft): boolean {
  const [a, b] = [before.origin.box, draft.origin.box]
  return overlapY(a, b) >= 0.6 * Math.min(height(a), height(b)) && Math.max(a[0], b[0]) - Math.min(a[2], b[2]) < Math.max(0.05, width(a) / 2)
}
