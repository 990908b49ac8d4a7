import { contains } from '../../geometry/box.ts'
import type { LineText } from '../../runtime/text-reader.ts'
import type { Flag } from '../../schema/block-kind.ts'
import type { LayoutBlock, LayoutLine } from '../../schema/page.ts'
import type { BlockContent } from '../../schema/vlm-block.ts'
import type { LaidOutPage } from '../stage-values.ts'
import type { ReadLine } from './lines/read-line.ts'
import { joinOnBaseline, regionLine } from './lines/region-line.ts'
import { regionThickness } from './lines/region-thickness.ts'
import type { WordReader } from './lines/word-reader.ts'
import type { ReadBlock } from './read-block.ts'

/** Below this mean probability a reading is more likely wrong than right in places. */
const lowConfidence = 0.6

/** What the lines of a page's blocks are made of. */
export interface LineSources {
  readonly page: LaidOutPage
  readonly words: WordReader
  readonly texts: ReadonlyMap<number, LineText>
  /** Words of the text layer that no block holds: what to fall back on where the picture could not be read. */
  readonly spareWords: () => readonly number[]
}

/** Regions that must be read for a block. Those of formulas are not: what a line reader makes of a formula is noise, whatever its confidence. */
export function regionsToRead(block: LayoutBlock): number[] {
  if (block.kind === 'formula' || block.content !== undefined) return []
  const regions: number[] = []
  for (const line of block.lines) if (line.region !== undefined) regions.push(line.region)
  for (const cell of block.table?.cells ?? []) for (const line of cell.lines) if (line.region !== undefined) regions.push(line.region)
  return regions
}

/** A line's text, from whichever source the layout names; undefined when nothing stands there. */
export function readLine(line: LayoutLine, { page, words, texts }: LineSources): ReadLine | undefined {
  if (line.words) {
    const read = words.line(line.words, line.box)
    return read.text.trim() === '' ? undefined : read
  }
  const region = line.region === undefined ? undefined : page.verdict.regions[line.region]
  if (line.region === undefined || !region) return undefined
  return regionLine(texts.get(line.region), line.box, regionThickness(region, page.frame) / page.frame.height)
}

/** A block of which a model says what it says. Its lines, if it has some, only tell where. */
export function saidBlock(layout: LayoutBlock, layoutIndex: number, said: BlockContent): ReadBlock {
  return { layout, layoutIndex, kind: said.kind, lines: [], said, fromPicture: false, flags: new Set([...layout.flags, ...said.flags]) }
}

export function readBlock(layout: LayoutBlock, layoutIndex: number, sources: LineSources): ReadBlock {
  const flags = new Set<Flag>(layout.flags)
  const wanted = regionsToRead(layout)
  const fromPicture = layout.lines.length > 0 && layout.lines.every((line) => line.region !== undefined)
  let lines = layout.kind === 'code' ? codeLines(layout, sources) : layout.lines.flatMap((line) => readLine(line, sources) ?? [])
  if (wanted.length > 0 && !layout.vertical) lines = joinOnBaseline(lines)
  const unread = wanted.filter((region) => !sources.texts.has(region))
  if (unread.length > 0) lines = [...lines, ...fallBack(layout, unread, sources, flags)]
  const nothing = layout.content === undefined && lines.length === 0 && (wanted.length > 0 ? !hasCellText(layout, sources) : layout.lines.length > 0)
  if (nothing && layout.kind !== 'figure' && layout.kind !== 'chart') flags.add('unreadable')
  const confidence = meanConfidence(lines)
  if (confidence !== undefined && confidence < lowConfidence) flags.add('low-confidence')
  const { kind, marker, depth } = layout
  return { layout, layoutIndex, kind, lines, fromPicture, flags, ...(marker === undefined ? {} : { marker }), ...(depth === undefined ? {} : { depth }) }
}

/** Code keeps its blanks by place where its type is of one width. */
function codeLines(layout: LayoutBlock, sources: LineSources): ReadLine[] {
  const cell = sources.words.cellWidth(layout.lines.flatMap((line) => line.words ?? []))
  return layout.lines.flatMap((line) =>
    line.words && cell !== undefined ? sources.words.codeLine(line.words, line.box, cell) : (readLine(line, sources) ?? []),
  )
}

const hasCellText = (layout: LayoutBlock, sources: LineSources): boolean =>
  layout.table?.cells.some((cell) => cell.lines.some((line) => readLine(line, sources) !== undefined)) ?? false

/** The words of the text layer that stand where the reader failed: not trusted, but better than nothing, and said so. */
function fallBack(layout: LayoutBlock, unread: readonly number[], { page, words, spareWords }: LineSources, flags: Set<Flag>): ReadLine[] {
  const missing = new Set(unread)
  const { width, height } = page.textLayer
  const found: ReadLine[] = []
  for (const line of layout.lines) {
    if (line.region === undefined || !missing.has(line.region)) continue
    const inside = spareWords().filter((index) => {
      const box = page.textLayer.words[index]?.box
      return box !== undefined && contains(line.box, (box[0] + box[2]) / 2 / width, (box[1] + box[3]) / 2 / height)
    })
    if (inside.length > 0) found.push(words.line(inside, line.box))
  }
  if (found.length > 0) {
    flags.add('fallback')
    flags.add('bad-text-layer')
  }
  return found
}

/** Mean over the lines that have one, weighted by their length; undefined when none has. */
export function meanConfidence(lines: readonly ReadLine[]): number | undefined {
  let [sum, chars] = [0, 0]
  for (const line of lines) {
    if (line.confidence === undefined) continue
    sum += line.confidence * line.text.length
    chars += line.text.length
  }
  return chars > 0 ? Math.round((sum / chars) * 1000) / 1000 : undefined
}
