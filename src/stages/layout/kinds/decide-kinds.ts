import { listMarker } from '../../../text/list-marker.ts'
import { type DraftBlock, firstText } from '../draft-block.ts'
import { markAsides } from './aside.ts'
import { placeCaptions } from './caption-order.ts'
import { markCaptions } from './caption-place.ts'
import { isCode, joinCode, markAlgorithms } from './code.ts'
import { markFootnotes } from './footnote.ts'
import { isFormula, joinFormulas } from './formula.ts'
import { isHeading } from './heading.ts'
import { markIndexEntries } from './index-entries.ts'
import { markListItems } from './list-item.ts'
import type { PageContext } from './page-context.ts'
import { markReferences } from './references.ts'

/**
 * Decides what each block of a page is, from the surest rule to the weakest: what is set in code or symbols, what counts
 * itself (lists, contents), what looks apart (headings), and what depends on its neighbours (captions, notes, references).
 *
 * @param blocks in reading order, furniture left out. Returned anew: code split by blank lines is joined, captions stand
 * next to what they belong to.
 */
export function decideKinds(blocks: readonly DraftBlock[], context: PageContext): DraftBlock[] {
  for (const block of blocks) {
    if (block.kind !== 'text' || block.angle) continue
    if (isCode(block, context)) block.kind = 'code'
    else if (isFormula(block, context)) block.kind = 'formula'
  }
  const joined = joinFormulas(joinCode(blocks, context), context)
  markIndexEntries(joined)
  markHeadings(joined, context)
  markListItems(joined, context)
  markAsides(joined, context)
  markCaptions(joined, context)
  markFootnotes(joined, context)
  markReferences(joined)
  markAlgorithms(joined, context)
  return placeCaptions(joined)
}

/** Lines that count on from each other with no text between are items of a list, whatever they look like. */
function countsOn(block: DraftBlock, other: DraftBlock | undefined, step: 1 | -1): boolean {
  if (!other || (other.kind === 'heading' && other.lines[0]?.em !== block.lines[0]?.em)) return false
  const mine = listMarker(firstText(block))
  const theirs = mine?.ordinal ? listMarker(firstText(other)) : undefined
  if (!mine?.ordinal || !theirs?.ordinal || mine.style !== theirs.style) return false
  return theirs.ordinal - mine.ordinal === step && Math.abs(block.box[0] - other.box[0]) < (block.lines[0]?.em ?? 10)
}

function markHeadings(blocks: readonly DraftBlock[], context: PageContext): void {
  // From the end, so that a heading directly before another one counts as text that follows it.
  for (let i = blocks.length - 1; i >= 0; i--) {
    const block = blocks[i]
    if (block?.kind !== 'text' || block.angle || countsOn(block, blocks[i - 1], -1) || countsOn(block, blocks[i + 1], 1)) continue
    if (isHeading(block, blocks[i + 1], context)) block.kind = 'heading'
  }
}
