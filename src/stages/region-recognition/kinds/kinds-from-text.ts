import { centerX, height, width } from '../../../geometry/box.ts'
import type { Box } from '../../../schema/geometry.ts'
import { captionLabel } from '../../../text/caption.ts'
import { headingNumber } from '../../../text/heading-number.ts'
import { listMarker } from '../../../text/list-marker.ts'
import { endsSentence } from '../../../text/sentence-end.ts'
import { hasOnlyCapitals } from '../has-only-capitals.ts'
import { type ReadBlock, textOf } from '../read-block.ts'
import { isPageNumber } from './page-numbers.ts'
import { splitLists } from './split-lists.ts'

/** The layout's guesses by size and place alone, which the text may overrule. */
const open: ReadonlySet<string> = new Set(['text', 'heading', 'unknown'])

/**
 * Kinds that only the text tells, for blocks read from the picture: the layout saw them as boxes. Blocks from the
 * text layer keep theirs. Blocks that hold a whole list are cut into its items.
 */
export function kindsFromText(blocks: readonly ReadBlock[]): ReadBlock[] {
  const all = blocks.flatMap((block, i) => (block.fromPicture && open.has(block.kind) ? splitLists(block, blocks[i + 1]) : [block]))
  const body = bodyHeight(all)
  const pictures = all.filter(({ kind }) => kind === 'figure' || kind === 'chart').map(({ layout }) => layout.box)
  let inReferences = false
  for (const [i, block] of all.entries()) {
    if (!block.fromPicture || !open.has(block.kind) || block.lines.length === 0) continue
    block.kind = isLegend(block, body, pictures) ? 'caption' : kindOf(block, all[i - 1], all[i + 1], body)
    if (block.kind === 'heading') inReferences = referencesTitle.test(textOf(block).trim())
    else if (inReferences && block.kind !== 'page_number' && isEntry(textOf(block))) block.kind = 'reference'
    if (block.kind === 'list_item') block.marker ??= listMarker(textOf(block))?.marker ?? ''
  }
  return all
}

const referencesTitle =
  /^(?:[\dIVX.]+\s+)?(?:references|bibliography|works cited|literature cited|literatur(?:verzeichnis)?|références|bibliographie|bibliograf[ií]a|referencias|riferimenti|参考文献|引用文献|참고문헌|список литературы|литература)[.:]?$/iu
const isEntry = (text: string): boolean => /^\s*(?:\[\d{1,3}\]|\d{1,3}\.\s|\p{Lu}[\p{L}'’-]+,\s+\p{Lu})/u.test(text)

function kindOf(block: ReadBlock, before: ReadBlock | undefined, after: ReadBlock | undefined, body: number): ReadBlock['kind'] {
  const text = textOf(block).trim()
  const { box } = block.layout
  if (isPageNumber(text) && (box[3] < 0.1 || box[1] > 0.9)) return 'page_number'
  const label = captionLabel(text)
  if (label && label.of !== 'formula' && !label.unsure && block.lines.length <= 12) return 'caption'
  const size = lineHeight(block) / body
  if (isFootnote(text, size, box[1])) return 'footnote'
  if (isListItem(block, before, after)) return 'list_item'
  return isHeading(block, text, size, before, after) ? 'heading' : 'text'
}

/**
 * The line under an illustration that says what it shows, without a label: right below the picture, centred on it,
 * narrower than it, and set apart from running text by capitals or smaller type.
 */
function isLegend(block: ReadBlock, body: number, pictures: readonly Box[]): boolean {
  const text = textOf(block).trim()
  if (block.lines.length > 2 || text.length > 90 || !/\p{L}{2}/u.test(text)) return false
  const line = lineHeight(block)
  if (!hasOnlyCapitals(text) && line > 0.9 * body) return false
  const { box } = block.layout
  return pictures.some((picture) => {
    const gap = box[1] - picture[3]
    const centred = Math.abs(centerX(box) - centerX(picture)) < 0.12 * width(picture)
    return gap > -0.5 * line && gap < 1.6 * line && centred && width(box) < 0.9 * width(picture) && height(picture) > 4 * line
  })
}

/** Small type in the lower half that opens with a mark. */
const isFootnote = (text: string, size: number, top: number): boolean => size < 0.92 && top > 0.5 && /^(?:\d{1,2}|[*†‡§¶])\s?\p{L}/u.test(text)

/** Bullets are sure by themselves; numbers and letters need a neighbour of their kind that counts on. */
function isListItem(block: ReadBlock, before: ReadBlock | undefined, after: ReadBlock | undefined): boolean {
  const found = listMarker(block.lines[0]?.text ?? '')
  if (!found || found.rest === '') return false
  if (found.ordinal === undefined) return found.unsure !== true
  const { style, ordinal } = found
  const counts = (other: ReadBlock | undefined, step: number): boolean => {
    const its = other && listMarker(other.lines[0]?.text ?? '')
    return its?.style === style && its.ordinal === ordinal + step
  }
  return counts(before, -1) || counts(after, 1)
}

const longestHeading = 160

/** Larger type, or a number, or capitals, or a line of its own over a paragraph: a short block that is no sentence, with something to head. */
function isHeading(block: ReadBlock, text: string, size: number, before: ReadBlock | undefined, after: ReadBlock | undefined): boolean {
  if (text.length > longestHeading || block.lines.length > 3 || !/\p{L}{2}/u.test(text)) return false
  if (endsSentence(text) && size < 1.6) return false
  if (/[,;:]$/u.test(text) || /^\p{Ll}/u.test(text)) return false
  // What goes on in lower case was a line of a sentence: one beside a large initial, say.
  if (after && /^\p{Ll}/u.test(textOf(after).trim()) && !isHung(after)) return false
  if (size >= 1.25) return true
  // The finder grows the boxes of short lines less: they look a little smaller than their type is.
  if (!after || after.kind === 'heading' ? size < 0.95 : size < 0.8) return false
  const number = headingNumber(text)
  if (number && number.rest !== '' && block.lines.length <= 2 && text.length < 100) return isShort(block, after) || number.depth > 1
  if (block.lines.length > 1 || text.length >= 80 || !isShort(block, after)) return false
  return hasOnlyCapitals(text) || headsParagraph(block, text, before, after)
}

/** A list item may begin in lower case. */
const isHung = (block: ReadBlock): boolean => listMarker(block.lines[0]?.text ?? '') !== undefined

/**
 * Bold type cannot be told on a scan; place can: a capitalised line, flush with the paragraph right below it and much
 * shorter, after a paragraph that has ended. Names, addresses and short entries have their like around them.
 */
function headsParagraph(block: ReadBlock, text: string, before: ReadBlock | undefined, after: ReadBlock | undefined): boolean {
  if (!after || !/^\p{Lu}/u.test(text) || /\d/u.test(text) || text.split(/\s+/u).length > 8) return false
  const { box } = block.layout
  const below = after.layout.box
  const line = lineHeight(block)
  const heads = after.lines.length > 1 && Math.abs((after.lines[0]?.box[0] ?? below[0]) - box[0]) < 0.012 && width(box) < 0.6 * width(below)
  const close = below[1] - box[3] < 1.5 * line
  const apart = before === undefined || before.kind === 'heading' || before.kind === 'list_item' || (before.lines.length > 1 && endsSentence(textOf(before)))
  return heads && close && apart && textOf(after).length > 80
}

/** Ends well before the text below it does. */
const isShort = (block: ReadBlock, after: ReadBlock | undefined): boolean => after === undefined || width(block.layout.box) < 0.85 * width(after.layout.box)

/** Height of most characters' lines, as a fraction of the page; 1 when there are none. */
function bodyHeight(blocks: readonly ReadBlock[]): number {
  const weighted = blocks
    .filter((block) => block.fromPicture && block.lines.length > 0)
    .map((block) => ({ height: lineHeight(block), chars: textOf(block).length }))
    .sort((a, b) => a.height - b.height)
  let left = weighted.reduce((sum, { chars }) => sum + chars, 0) / 2
  for (const { height: h, chars } of weighted) {
    left -= chars
    if (left <= 0) return h || 1
  }
  return 1
}

/** The median over its lines. Vertical writing is measured across. */
function lineHeight(block: ReadBlock): number {
  const heights = block.lines.map((line) => line.thickness ?? (block.layout.vertical ? width(line.box) : height(line.box))).sort((a, b) => a - b)
  return heights[heights.length >> 1] ?? 0
}
