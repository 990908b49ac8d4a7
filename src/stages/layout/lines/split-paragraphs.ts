import { listMarker } from '../../../text/list-marker.ts'
import { endsSentence } from '../../../text/sentence-end.ts'
import type { BodyLook } from '../body-look.ts'
import type { PageGeometry } from '../page-geometry.ts'
import type { Span } from './column-span.ts'
import { type EntryList, entryList, startsEntry } from './entry-list.ts'
import { endsInPageNumber, isIndexLine } from './index-line.ts'
import type { PrintedLine } from './printed-line.ts'
import { beginsRaised } from './raised.ts'
import { startsLabel } from './run-in-label.ts'

export interface ParagraphContext {
  readonly page: PageGeometry
  readonly body: BodyLook
}

export interface Paragraph {
  readonly lines: PrintedLine[]
  /** Its line breaks are meant: most of its lines, and of its column's, end though the next word would have fitted. */
  readonly brokenByHand: boolean
}

/** A column's habits: how its paragraphs are told apart. */
interface Habits {
  /** Usual distance of baselines in points. */
  readonly leading: number
  /** Line breaks are meant (verse, addresses): a short line ends no paragraph. */
  readonly brokenByHand: boolean
  /** First lines stand out to the left of the others, as in bibliographies. */
  readonly hanging: boolean
  /** Type size that `leading` belongs to. */
  readonly em: number
  /** Characters of each type size, to the nearest quarter point. */
  readonly sizes: ReadonlyMap<number, number>
  readonly entries: EntryList
}

/** More characters of one size in a column are running text, though most of the page is set smaller. */
const mostTitleChars = 400

/**
 * Splits the lines of a column into paragraphs: where the white grows, the look changes, a line is indented,
 * a list marker stands, or the last line ended though the next word would have fitted.
 *
 * @param spans the room of each line.
 */
export function splitParagraphs(lines: readonly PrintedLine[], spans: readonly Span[], context: ParagraphContext): Paragraph[] {
  const habits = habitsOf(lines, spans, context)
  const paragraphs: Paragraph[] = []
  let current: PrintedLine[] = []
  let short = 0
  const close = () => paragraphs.push({ lines: current, brokenByHand: habits.brokenByHand && isBrokenByHand(current, short, context.page) })
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1]
    if (before && breaks({ before, line, after: lines[i + 1], room: spans[i - 1], own: spans[i], opening: current[0] ?? before }, habits, context)) {
      close()
      current = []
      short = 0
    } else if (before && wouldFit(before, line, spans[i - 1], context.page)) short++
    current.push(line)
  }
  if (current.length > 0) close()
  return paragraphs
}

/**
 * @param short how many lines but the last end though the next word would have fitted into the column. In prose that
 * is set narrower than its column they do not fit into its own width.
 */
function isBrokenByHand(lines: readonly PrintedLine[], short: number, page: PageGeometry): boolean {
  if (lines.length < 2 || short * 3 < (lines.length - 1) * 2) return false
  if (!lines.every((line) => line.text === '' || (hasWord.test(line.text) && !/\p{L}-$/u.test(line.text)))) return false
  const own: Span = [Math.min(...lines.map((l) => l.box[0])), Math.max(...lines.map((l) => l.box[2]))]
  return lines.some((line, i) => i > 0 && wouldFit(lines[i - 1] ?? line, line, own, page))
}

/** Lines without a word are scraps of formulas. */
const hasWord = /\p{L}{2}|\p{Lo}|[–—]/u

function habitsOf(lines: readonly PrintedLine[], spans: readonly Span[], context: ParagraphContext): Habits {
  const distances: number[] = []
  let short = 0
  for (let i = 1; i < lines.length; i++) {
    const before = lines[i - 1]
    const line = lines[i]
    if (!before || !line) continue
    const distance = line.baseline - before.baseline
    if (Math.abs(before.em - line.em) < 0.08 * line.em && distance < 2.2 * line.em && distance > 0.5 * line.em) distances.push(distance / line.em)
    if (wouldFit(before, line, spans[i - 1], context.page)) short++
  }
  distances.sort((a, b) => a - b)
  const em = lines[0]?.em ?? context.body.sizePt
  // The lower third rather than the middle: a column of one-line paragraphs has more white between than within.
  const relative = distances.length >= 2 ? (distances[Math.floor((distances.length - 1) * 0.35)] ?? 1.25) : 1.25
  const within = leadingWithin(lines, context.page)
  return {
    // Where paragraphs of one line abound even the lower third is the white between them.
    leading: within !== undefined && relative > 1.28 * within ? within : relative,
    brokenByHand: lines.length > 3 && short > 0.5 * (lines.length - 1),
    hanging: isHanging(lines, spans, context),
    em,
    sizes: charsBySize(lines),
    entries: entryList(lines),
  }
}

/** Most lines stand further in than the first ones of paragraphs. Items of a list hang by their markers: that says nothing of the paragraphs beside it. */
function isHanging(lines: readonly PrintedLine[], spans: readonly Span[], context: ParagraphContext): boolean {
  let [inner, atEdge, afterShort, afterFull] = [0, 0, 0, 0]
  let markerAt = Infinity
  for (let i = 1; i < lines.length; i++) {
    const before = lines[i - 1]
    const line = lines[i]
    if (!before || !line) continue
    if (listMarker(line.text)) markerAt = line.box[0]
    else if (line.box[0] < markerAt + 0.3 * line.em) markerAt = Infinity
    if (markerAt < Infinity) continue
    const step = line.box[0] - before.box[0]
    if (step > 0.7 * line.em && step < 5 * line.em && line.baseline - before.baseline < 2.2 * line.em && !listMarker(before.text)) {
      if (wouldFit(before, line, spans[i - 1], context.page) || endsSentence(before.text)) afterShort++
      else afterFull++
    }
    const indent = line.box[0] - (spans[i]?.[0] ?? line.box[0])
    if (indent > 0.7 * line.em && indent < 5 * line.em) inner++
    else if (indent < 0.3 * line.em) atEdge++
  }
  return (inner > atEdge && atEdge > 0) || (afterFull > afterShort && afterFull > 1)
}

function charsBySize(lines: readonly PrintedLine[]): Map<number, number> {
  const sizes = new Map<number, number>()
  for (const line of lines) sizes.set(sizeKey(line), (sizes.get(sizeKey(line)) ?? 0) + line.chars)
  return sizes
}

const sizeKey = (line: PrintedLine): number => Math.round(line.em * 4) / 4

/**
 * Distance of baselines, in ems, below lines that reach the outermost edge of the column: the margin broke them, so that
 * the next line goes on with their paragraph. The middle one; undefined when no line was broken so.
 */
function leadingWithin(lines: readonly PrintedLine[], page: PageGeometry): number | undefined {
  const column: Span = [Math.min(...lines.map((l) => l.box[0])), Math.max(...lines.map((l) => l.box[2]))]
  const distances: number[] = []
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1]
    if (!before || before.text === '' || looksDifferent(before, line) || wouldFit(before, line, column, page)) continue
    const distance = (line.baseline - before.baseline) / line.em
    if (distance > 0.9 && distance < 2.2) distances.push(distance)
  }
  return distances.sort((a, b) => a - b)[Math.floor((distances.length - 1) / 2)]
}

interface Seam {
  readonly before: PrintedLine
  readonly line: PrintedLine
  readonly after: PrintedLine | undefined
  readonly room: Span | undefined
  readonly own: Span | undefined
  /** First line of the paragraph that `before` belongs to. */
  readonly opening: PrintedLine
}

function breaks(seam: Seam, habits: Habits, context: ParagraphContext): boolean {
  const { before, line, room } = seam
  const em = Math.max(before.em, line.em)
  const distance = line.baseline - before.baseline
  if (isLimit(before, line)) return false
  const isLarge = line.em > 1.15 * context.body.sizePt && before.em > 1.15 * context.body.sizePt
  const isDisplay = isLarge && (habits.sizes.get(sizeKey(line)) ?? 0) <= mostTitleChars
  // Titles are set wider than text: lines of one look stay together over more white.
  const widest = isDisplay && line.em > 1.22 * context.body.sizePt && Math.abs(line.em - before.em) < 0.02 * em ? 1.85 : 0
  if (distance > Math.max(habits.leading * 1.28, habits.leading + 0.22, widest) * em) return true
  if (looksDifferent(before, line)) return true
  if (isIndexLine(before) || isIndexLine(line)) return endsEntry(before, line)
  const entry = startsEntry(before, line, habits.entries)
  if (entry !== undefined) return entry
  const fits = wouldFit(before, line, room, context.page)
  if (changesSlant(before, line) && wouldFit(before, line, room, context.page, narrowBlank)) return true
  if (startsItem(seam, fits)) return true
  if (startsNote(line, context)) return true
  if (endsSentence(before.text) && before.bold < 0.5 && startsLabel(line, context.page)) return true
  if (isDisplay || isCentered(before, room) || isCentered(line, seam.own)) return false
  if (isIndented(seam, habits, context)) return true
  return fits && !habits.brokenByHand && (isClearlyShort(before, room) || endsSentence(before.text))
}

/** A third of the line is free. */
const isClearlyShort = (line: PrintedLine, room: Span | undefined): boolean => room !== undefined && line.box[2] - line.box[0] < 0.67 * (room[1] - room[0])

/** An entry of a contents list ends with its page number; two entries end at the same edge. */
const endsEntry = (before: PrintedLine, line: PrintedLine): boolean =>
  isIndexLine(before) || (endsInPageNumber(before) && Math.abs(before.box[2] - line.box[2]) < 3)

/** The limits under a sum or union, in small symbols close below their line, belong to it. */
const isLimit = (before: PrintedLine, line: PrintedLine): boolean =>
  line.em < 0.85 * before.em &&
  line.chars < 16 &&
  line.symbolic > 0.3 &&
  line.baseline - before.baseline < 1.3 * before.em &&
  line.box[0] >= before.box[0] - before.em &&
  line.box[2] <= before.box[2] + before.em

/** Size, weight or pitch change with the line: a heading, a caption or code begins or ends. */
function looksDifferent(a: PrintedLine, b: PrintedLine): boolean {
  const isRead = a.text === '' || b.text === ''
  const ratio = Math.max(a.sizes[0], b.sizes[0]) / Math.min(a.sizes[1], b.sizes[1])
  if (ratio > (isRead ? 1.4 : 1.09) && (isRead || (a.chars > 2 && b.chars > 2))) return true
  if (isRead) return false
  // A bold beginning may fill a line; all of it bold and the next one plain is a heading.
  if ((a.bold > 0.97 && b.bold < 0.4) || (b.bold > 0.97 && a.bold < 0.4)) return true
  return flips(a.monospace, b.monospace)
}

const flips = (a: number, b: number): boolean => (a > 0.85 && b < 0.4) || (b > 0.85 && a < 0.4)

const changesSlant = (a: PrintedLine, b: PrintedLine): boolean =>
  flips(a.italic, b.italic) || (a.style !== undefined && b.style !== undefined && a.style.color !== b.style.color)

/** Blanks before a word, in ems: one as wide as lines stretch them, and one that no line sets narrower. */
const wideBlank = 0.6
const narrowBlank = 0.25

/** The first word of the line would have found room at the end of the line before. */
export function wouldFit(before: PrintedLine, line: PrintedLine, room: Span | undefined, page: PageGeometry, blank = wideBlank): boolean {
  if (!room) return false
  const free = line.rightToLeft ? before.box[0] - room[0] : room[1] - before.box[2]
  return free > firstWordWidth(line, page) + blank * line.em
}

function firstWordWidth(line: PrintedLine, page: PageGeometry): number {
  const first = line.atoms[0]
  const index = first?.words?.[0]
  const word = index === undefined ? undefined : page.words[index]
  // An unread line: a long word's width, so that only a line that is clearly short ends a paragraph.
  if (!word) return 6 * line.em
  // Scripts without blanks break anywhere: one character is a word.
  const { edges, box } = word
  const along = Math.abs((edges[edges.length - 1] ?? box[2]) - (edges[0] ?? box[0]))
  const code = word.text.charCodeAt(0)
  return code >= 0x2e80 ? Math.min(along, 2 * line.em) : along
}

/**
 * A list marker opens the line. Numbers and letters also begin lines by chance: they count when the line before
 * came to an end, when the marker stands out or in, or when the item before began with one too.
 */
function startsItem(seam: Seam, fits: boolean): boolean {
  const { before, line, opening } = seam
  if (line.text === '') return false
  const found = listMarker(line.text)
  if (!found) return false
  if (found.style === 'bullet' && !found.unsure) return true
  if (fits || endsSentence(before.text)) return true
  const earlier = listMarker(opening.text)
  const sameEdge = Math.abs(opening.box[0] - line.box[0]) < 0.6 * line.em
  if (earlier && earlier.style === found.style && sameEdge && (found.ordinal ?? 0) === (earlier.ordinal ?? 0) + 1) return true
  return !found.unsure && Math.abs(line.box[0] - before.box[0]) > 0.7 * line.em && /[:;,]$|\b(?:and|or|und|oder|et|ou)$/.test(before.text.trim())
}

/** A raised mark at the start of small type begins a note. */
function startsNote(line: PrintedLine, context: ParagraphContext): boolean {
  if (line.em > 0.95 * context.body.sizePt) return false
  const index = line.atoms[0]?.words?.[0]
  const word = index === undefined ? undefined : context.page.words[index]
  if (!word) return false
  return beginsRaised(word) || /^[*†‡§¶]/.test(word.text)
}

/** Set in the middle of its room, with clear white on both sides. */
export function isCentered(line: PrintedLine, room: Span | undefined): boolean {
  if (!room) return false
  const left = line.box[0] - room[0]
  const right = room[1] - line.box[2]
  return left > 1.5 * line.em && right > 1.5 * line.em && Math.abs(left - right) < Math.max(1.2 * line.em, 0.12 * (left + right))
}

function isIndented(seam: Seam, habits: Habits, context: ParagraphContext): boolean {
  const { before, line, after, opening } = seam
  const em = line.em
  if (line.rightToLeft) {
    const inset = before.box[2] - line.box[2]
    return inset > 0.7 * em && inset < 6 * em && (!after || after.box[2] - line.box[2] > 0.7 * em)
  }
  const step = line.box[0] - before.box[0]
  const leftOwn = seam.own?.[0] ?? line.box[0]
  if (habits.hanging) {
    // Back at the edge after indented lines: the next entry.
    return line.box[0] - leftOwn < 0.4 * em && (step < -0.7 * em || (Math.abs(step) < 0.4 * em && wouldFit(before, line, seam.room, context.page)))
  }
  if (listMarker(opening.text)) {
    // Inside an item lines stand under its text, or come back to the edge of the column; what stands left of the
    // marker after the end of a sentence is something else.
    return line.box[0] < opening.box[0] - 0.7 * em && (before !== opening || endsSentence(before.text)) && step < -0.7 * em
  }
  if (step > 0.7 * em && step < 8 * em) {
    // An indented first line; several lines further in are a quotation or an example, which is set apart too. After a full
    // line that ends no sentence the text goes on, hanging under its beginning.
    return habits.brokenByHand || endsSentence(before.text) || /[:;,]$/.test(before.text.trim()) || wouldFit(before, line, seam.room, context.page)
  }
  // Back from an inset paragraph to the column, unless that was just the indent of a first line.
  return step < -0.7 * em && before !== opening
}
