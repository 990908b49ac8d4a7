import { height, width } from '../../../geometry/box.ts'
import type { BlockKind } from '../../../schema/block-kind.ts'
import type { Box } from '../../../schema/geometry.ts'
import type { PageBlock } from '../../../schema/page.ts'
import { isCjkChar } from '../../../text/script.ts'
import { endsSentence } from '../../../text/sentence-end.ts'
import { isMeasured, measuredLook } from '../survey/block-look.ts'
import type { Draft } from './draft.ts'

/** What may be broken by the end of a column or page and go on behind it. */
const joinable: ReadonlySet<BlockKind> = new Set(['text', 'list_item', 'reference', 'footnote'])
export const isJoinable = (draft: Draft): boolean => joinable.has(draft.kind)

/** Shorter texts are labels and scraps of formulas rather than the beginning of a paragraph. */
const shortest = 20
const shortestUnspaced = 6

/** What stands between the halves of a broken paragraph. */
export interface Between {
  /** A figure, table or its caption. */
  readonly floats: boolean
}

/**
 * Whether `next` is the rest of the paragraph, list item or bibliography entry `open`, broken by a column, a page
 * or a figure. The first half must be unfinished, the second must look like a rest, and both like one paragraph.
 */
export function goesOn(open: Draft, next: Draft, between: Between): boolean {
  const [first, second] = [open.tail, next.origin]
  if (!sameSort(open, next) || !sameLook(open, next) || isVerse(first) || isVerse(second)) return false
  if (open.text.length < (startsUnspaced(open.text) ? shortestUnspaced : shortest)) return false
  const hyphenated = endsInHyphen(open.text) && startsLower(next.text)
  if (!isBroken(open, next, between, hyphenated)) return false
  if (!hyphenated && (endsSentence(open.text) || /[:;]$/.test(open.text.trimEnd()))) return false
  if (!similarWidth(first, second)) return false
  if (hyphenated) return true
  if (startsLower(next.text)) return lastLineReaches(first, 0.6)
  if (next.page.index > (open.parts.at(-1)?.page ?? 0) + 1) return false
  // A capital, a digit or a script without case may begin a sentence as well: then the line before must have run to its end.
  const isProse = first.lines.length >= 3 || open.text.length >= 150 || startsUnspaced(next.text)
  return isProse && lastLineReaches(first, 0.88) && !isIndented(second) && (startsUnspaced(next.text) || !between.floats)
}

/** Line breaks that are meant stay in the text: its lines end where they do. */
const isVerse = (block: PageBlock): boolean => block.text.includes('\n')

function sameSort(open: Draft, next: Draft): boolean {
  const [a, b] = [open.origin, next.origin]
  if (a.angle !== b.angle || a.writingMode !== b.writingMode || a.direction !== b.direction) return false
  if (a.source.split(':')[0] !== b.source.split(':')[0]) return false
  if (next.kind === 'list_item') return open.kind === 'list_item' && (b.marker ?? '') === ''
  // The rest of a list item or entry has lost its marker and may pass for a paragraph.
  if (open.kind === 'list_item' || open.kind === 'reference') return next.kind === open.kind || next.kind === 'text'
  return next.kind === open.kind
}

function sameLook(open: Draft, next: Draft): boolean {
  if (!isMeasured(open.origin) || !isMeasured(next.origin)) return true
  const a = measuredLook(open.origin, open.page)
  const b = measuredLook(next.origin, next.page)
  if (a.sizePt === 0 || b.sizePt === 0) return true
  const tolerance = a.rough || b.rough ? 0.2 : 0.04
  return Math.abs(a.sizePt - b.sizePt) <= Math.max(a.sizePt, b.sizePt) * tolerance && a.bold === b.bold && a.italic === b.italic
}

/** A break of column or page, or a float, must lie between; blocks that simply follow each other were told apart by their page. */
function isBroken(open: Draft, next: Draft, between: Between, hyphenated: boolean): boolean {
  const last = open.parts.at(-1)
  if (!last) return false
  if (next.page.index !== last.page) return true
  const vertical = next.origin.writingMode === 'vertical'
  const newColumn = vertical
    ? next.origin.box[1] > last.box[3]
    : next.origin.box[1] < last.box[3] && (next.origin.box[0] > last.box[0] || next.origin.direction === 'rtl')
  return newColumn || between.floats || hyphenated || isFirstLine(open.tail, next.origin)
}

/** The indented first line of a paragraph, full, alone, right above the rest: what stands beside the rest made their page part them. */
function isFirstLine({ box, lines, writingMode }: PageBlock, rest: PageBlock): boolean {
  const line = height(box)
  const isAbove = rest.box[1] > box[1] + 0.5 * line && rest.box[1] - box[3] < 0.5 * line
  return lines.length === 1 && writingMode !== 'vertical' && isAbove && box[0] - rest.box[0] > 0.012 && box[2] >= rest.box[2] && startsLower(rest.text)
}

/** Column widths within a third; a last or only line may be shorter. */
function similarWidth(first: PageBlock, second: PageBlock): boolean {
  const extent = (box: Box) => (second.writingMode === 'vertical' ? height(box) : width(box))
  const [a, b] = [extent(first.box), extent(second.box)]
  if (a >= b * 0.7 && b >= a * 0.7) return true
  return (second.lines.length === 1 && b < a) || (first.lines.length === 1 && a < b && first.lines.length > 0)
}

/** The last printed line runs over at least this share of its block's width; unknown and only lines do. Lines before a break are full. */
function lastLineReaches(block: PageBlock, share: number): boolean {
  const line = block.lines.at(-1)
  if (!line || block.lines.length === 1) return true
  const { box } = block
  if (block.writingMode === 'vertical') return line.box[3] - box[1] >= height(box) * share
  return (block.direction === 'rtl' ? box[2] - line.box[0] : line.box[2] - box[0]) >= width(box) * share
}

/** The first printed line is set in from the others: a paragraph begins. */
function isIndented(block: PageBlock): boolean {
  const [first, ...others] = block.lines
  if (!first || others.length === 0 || block.writingMode === 'vertical') return false
  const rtl = block.direction === 'rtl'
  const edge = rtl ? Math.max(...others.map((l) => l.box[2])) : Math.min(...others.map((l) => l.box[0]))
  return rtl ? edge - first.box[2] > 0.012 : first.box[0] - edge > 0.012
}

const endsInHyphen = (text: string): boolean => /\p{L}[-‐\u00ad]\s*$/u.test(text)
const startsLower = (text: string): boolean => /^\s*[("'“‘«[]?\p{Ll}/u.test(text)
const startsUnspaced = (text: string): boolean => isCjkChar(text.trimStart().codePointAt(0) ?? 0)
