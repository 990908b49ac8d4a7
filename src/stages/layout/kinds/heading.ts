import type { Word } from '../../../schema/text-layer.ts'
import { captionLabel } from '../../../text/caption.ts'
import { headingNumber } from '../../../text/heading-number.ts'
import { listMarker } from '../../../text/list-marker.ts'
import { type DraftBlock, draftText } from '../draft-block.ts'
import type { PrintedLine } from '../lines/printed-line.ts'
import type { PageContext } from './page-context.ts'

/** Longer text is no heading, however it looks. */
const maxChars = 220
/** Points a block needs; see the rules of `headingScore`. */
const enough = 2.5

/** Whether a block of text is a heading, judged by its look against the body, its wording and the white around it. */
export function isHeading(block: DraftBlock, next: DraftBlock | undefined, context: PageContext): boolean {
  return headingScore(block, next, context) >= enough
}

/**
 * Adds up what speaks for a heading: larger or bolder type, capitals, a number, white above, a short line, text that
 * follows; and against it: the end of a sentence, small type, length, no letters.
 */
export function headingScore(block: DraftBlock, next: DraftBlock | undefined, context: PageContext): number {
  const first = block.lines[0]
  if (!first) return 0
  if (first.text === '') return unreadScore(block, next, context)
  // Parts far apart are a row of a table.
  if (block.lines.length > 5 || block.lines.some((line) => line.atoms.length > 3)) return 0
  const text = draftText(block).trim()
  const ratio = Math.max(...block.lines.map((l) => l.em)) / context.body.sizePt
  if (text.length > maxChars || block.lines.length > (ratio > 1.35 ? 5 : 3)) return 0
  if (!/\p{L}{2}/u.test(text) || first.symbolic > 0.5) return 0
  const look = lookScore(block, ratio, text, context) + (hasOwnFont(block, next, context) ? (first.italic > 0.5 ? 1.2 : 2) : 0)
  if (look <= 0 && block.whiteAbove <= first.em) return 0
  if (ratio < 1.3 && captionLabel(text)) return 0
  const number = headingNumber(text)
  const numbered = number !== undefined && number.rest !== '' && number.label.length > 0
  // Without a look of its own a line needs a number of two levels, or a word like "Chapter", and white around it.
  if (look <= 0 && !(numbered && (number.depth > 1 || number.style === 'keyword'))) return 0
  if (listMarker(text) && !numbered) return 0
  return look + (numbered ? 1.2 : 0) + settingScore(block, next, context) + wordingScore(text) + (isNames(block, text, context) ? -3 : 0)
}

/**
 * A line in a font of its own right above a paragraph in the body's: fonts that have lost their names do not say that they
 * are bold or slanted.
 */
function hasOwnFont(block: DraftBlock, next: DraftBlock | undefined, { body, page }: PageContext): boolean {
  const [line, more] = block.lines
  const below = next?.kind === 'text' ? next.lines[0] : undefined
  if (!line?.style || more || !below || line.bold > 0.5 || line.symbolic > 0) return false
  if (line.style.font === body.font || below.style?.font !== body.font || Math.abs(below.box[0] - line.box[0]) > 0.3 * line.em) return false
  if (below.baseline - line.baseline > 1.5 * below.em || line.em < 0.9 * body.sizePt) return false
  const words = line.atoms.flatMap((atom) => atom.words ?? [])
  return words.every((word) => page.styles[page.words[word]?.style ?? -1]?.font === line.style?.font)
}

function lookScore(block: DraftBlock, ratio: number, text: string, context: PageContext): number {
  const { body } = context
  const all = (of: (l: PrintedLine) => number) => block.lines.every((l) => of(l) > 0.8)
  let score = 0
  if (ratio >= 1.45) score += 3
  else if (ratio >= 1.15) score += 2.2
  else if (ratio >= 1.06) score += 1.2
  else if (ratio < 0.88) score -= 1.5
  if (!body.bold && all((l) => l.bold)) score += 2
  if (isCapitals(text)) score += 1.2
  if (!body.italic && all((l) => l.italic)) score += 1
  const color = block.lines[0]?.style?.color
  if (color !== undefined && color !== '#000000' && score > 0) score += 0.3
  return score
}

function settingScore(block: DraftBlock, next: DraftBlock | undefined, context: PageContext): number {
  const first = block.lines[0]
  const last = block.lines.at(-1)
  if (!first || !last) return 0
  let score = 0
  if (block.whiteAbove > 0.9 * first.em) score += 0.5
  if (block.lines.length === 1) score += 0.2
  // A line that fills its column looks like text; a heading seldom does.
  if (last.box[2] - last.box[0] < 0.75 * (block.column[2] - block.column[0])) score += 0.3
  if (next && (next.kind === 'text' || next.kind === 'list_item' || next.kind === 'table' || next.kind === 'code' || next.kind === 'heading')) {
    if ((next.lines[0]?.em ?? 0) <= first.em + 0.2 && next.box[1] - block.box[3] < 3 * context.body.sizePt) score += 0.5
  } else if (!next) score -= 0.4
  return score
}

function wordingScore(text: string): number {
  let score = 0
  if (/[.;,]$/.test(text) && !/^[\p{L}\p{N}.]{1,8}\.$/u.test(text)) score -= text.length > 60 ? 2.2 : 1.4
  if (/:$/.test(text)) score -= 0.6
  if (/^\p{Ll}/u.test(text)) score -= 1.2
  if (/^[([].*[)\]]$/u.test(text)) score -= 1
  if (/^\p{Lu}/u.test(text)) score += 0.2
  if (text.length > 120) score -= 1
  if (/[.!?]\s+\p{Lu}.*[.!?]$/u.test(text)) score -= 1.5
  if (/@|https?:|www\.|\bdoi\b/i.test(text)) score -= 2
  return score
}

/** A row of authors: names with commas between, or with raised marks that refer to their places of work. */
function isNames(block: DraftBlock, text: string, context: PageContext): boolean {
  const commas = text.split(/,| and | und | et /).length - 1
  const words = text.split(/[\s,]+/).filter((w) => /\p{L}{2}/u.test(w))
  const capitals = words.filter((w) => /^\p{Lu}\p{Ll}/u.test(w)).length
  if (commas >= 2 && capitals > 0.75 * words.length) return true
  const marks = block.lines.flatMap((l) => l.atoms.flatMap((a) => [...(a.words ?? [])])).filter((i) => isRaised(context.page.words[i])).length
  return marks >= 1 && capitals > 0.75 * words.length
}

const isRaised = (word: Word | undefined): boolean => word?.raised === 'super' || word?.runs?.some((run) => run.raised === 'super') === true

/** Of a line that is still to be read only size and place are known. */
function unreadScore(block: DraftBlock, next: DraftBlock | undefined, context: PageContext): number {
  const first = block.lines[0]
  if (!first || block.lines.length > 3) return 0
  const ratio = Math.min(...block.lines.map((l) => l.em)) / context.body.sizePt
  if (ratio < 1.3) return 0
  return (ratio > 1.6 ? 2.6 : 2) + (block.whiteAbove > 0.8 * first.em ? 0.5 : 0) + (next ? 0.3 : 0)
}

/** All capitals, four letters at least. */
export function isCapitals(text: string): boolean {
  let [letters, capitals] = [0, 0]
  for (const sign of text) {
    const isAscii = sign < '\x80'
    if (isAscii ? sign >= 'a' && sign <= 'z' : /\p{Ll}/u.test(sign)) letters++
    else if (isAscii ? sign >= 'A' && sign <= 'Z' : /\p{Lu}/u.test(sign)) {
      letters++
      if (sign !== sign.toLowerCase()) capitals++
    }
  }
  return letters >= 4 && capitals >= 0.9 * letters
}
