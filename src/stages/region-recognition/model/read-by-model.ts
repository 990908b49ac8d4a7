import type { Effort } from '../../../config/vlm-config.ts'
import type { TextFinder } from '../../../runtime/text-reader.ts'
import type { FoundBlock, PageBlockReading, VlmPageReader } from '../../../runtime/vlm/page-reader.ts'
import type { PictureCache } from '../../../runtime/vlm/pictures/picture-cache.ts'
import type { BlockKind, BlockSource } from '../../../schema/block-kind.ts'
import type { QuarterTurn } from '../../../schema/geometry.ts'
import { type ModelUsage, sumOfUsage } from '../../../schema/model-usage.ts'
import type { LayoutBlock } from '../../../schema/page.ts'
import type { BlockContent } from '../../../schema/vlm-block.ts'
import { earlyBlock } from '../../early-block.ts'
import type { LaidOutPage } from '../../stage-values.ts'
import { suspected } from './suspected.ts'
import { withRegions } from './with-regions.ts'

/** What blocks are read with where there is a vision-language model. */
export interface ModelReading {
  readonly reader: VlmPageReader
  readonly pictures: PictureCache
  /** For blocks that the model cannot read. */
  readonly finder: TextFinder
  readonly effort: Effort
}

/** What a model has made of a page. */
export interface ModelledPage {
  /** Its blocks as the model sees them with all of the page read, with regions to read where it failed. */
  readonly page: LaidOutPage
  /** Contents by the block's place in the layout. */
  readonly contents: ReadonlyMap<number, BlockContent>
  /** Blocks that have become part of others, or are nothing: none of them has a word that would be lost. */
  readonly gone: ReadonlySet<number>
  readonly source: BlockSource
  /** What answers took: those about a block, by its place, and all of the page. */
  readonly usages: ReadonlyMap<number, ModelUsage>
  readonly usage: ModelUsage | undefined
}

/** Kinds that no line reader makes sense of. */
const beyondLines: ReadonlySet<BlockKind> = new Set(['formula', 'table'])

/**
 * Whether a block that geometry found is one for the model: formulas of any page, and tables that must be read from the picture. With little effort
 * only those of pages that must be read.
 */
function isForModel(block: LayoutBlock, { verdict }: LaidOutPage, effort: Effort): boolean {
  if (!beyondLines.has(block.kind) || block.flags.includes('fallback')) return false
  if (effort === 'low' && verdict.kind !== 'needs-reading') return false
  if (block.kind === 'formula') return true
  return block.table?.cells.some((cell) => cell.lines.some((line) => line.region !== undefined)) ?? block.lines.some((line) => line.region !== undefined)
}

/** Kinds that are kept as pictures. */
const cutOut: ReadonlySet<BlockKind> = new Set(['figure', 'chart'])

/** Kinds that are nothing without their words. */
const kindsWithWords: ReadonlySet<BlockKind> = new Set([
  ...(['heading', 'text', 'list_item', 'table', 'formula', 'code', 'algorithm', 'caption', 'footnote', 'reference', 'index_entry'] as const),
  ...(['page_header', 'page_footer', 'page_number', 'aside'] as const),
])

/** The blocks of a page that are the model's to read, by their places. */
export function blocksForModel(page: LaidOutPage, { reader, effort }: Pick<ModelReading, 'reader' | 'effort'>): number[] {
  if (page.page.ocr === 'never') return []
  return page.blocks.flatMap((block, index) => (block.model || (!reader.onePass && isForModel(block, page, effort)) ? [index] : []))
}

/** Reads what is the model's to read. Rejects where the engine is away; blocks that the model fails on are left to the line reader, and say so. */
export async function readByModel(page: LaidOutPage, model: ModelReading, signal: AbortSignal): Promise<ModelledPage> {
  const places = blocksForModel(page, model)
  const found = places.map((place) => foundBlock(page.blocks[place] as LayoutBlock))
  const skip = new Set(found.flatMap((_, i) => (page.blocks[places[i] as number]?.model?.byLayer ? [i] : [])))
  const { tell } = page
  const heard = new Map<number, ModelUsage[]>()
  const readings = await model.reader.read(() => model.pictures.of(page.page, page.frame), found, {
    ...{ signal, skip },
    // Pages whose answers are waited for need no room for pictures: but for one from which figures are still to be cut.
    ...(!page.blocks.some(({ kind }) => cutOut.has(kind)) && { onCropped: () => model.pictures.release(page.page, page.frame) }),
    onAnswer(usage, index = 0) {
      heard.set(index, [...(heard.get(index) ?? []), usage])
    },
    ...(tell && {
      onBlock: (block, index) => {
        if (block.content) tell(earlyBlock(page.page, block, places[index] as number, block.content, model.reader.model))
      },
    }),
  })
  const isLost = (reading: PageBlockReading) => reading.failure !== undefined || saysNothing(reading, found, skip)
  const failed = readings.flatMap((reading) => (isLost(reading) ? reading.of.map((i) => places[i] as number) : []))
  const seen = { ...page, blocks: seenBlocks(page.blocks, readings, places) }
  const read = failed.length === 0 ? seen : await withRegions(seen, failed, model, signal)
  const isKnown = (index: number) => skip.has(index) || failed.includes(places[index] as number)
  return {
    page: read,
    source: `vlm:${model.reader.model}`,
    contents: contentsOf(readings, places, isKnown),
    gone: goneFrom(page.blocks, readings, places, skip),
    usages: usagesOf(readings, places, heard),
    usage: sumOfUsage([...heard.values()].flat()),
  }
}

/** What each reading took, by the place of its first block. `heard`: answers by the index of the block that they were about. */
function usagesOf(
  readings: readonly PageBlockReading[],
  places: readonly number[],
  heard: ReadonlyMap<number, readonly ModelUsage[]>,
): Map<number, ModelUsage> {
  const usages = new Map<number, ModelUsage>()
  for (const { of } of readings) {
    const place = of[0] === undefined ? undefined : places[of[0]]
    const usage = sumOfUsage(of.flatMap((index) => heard.get(index) ?? []))
    if (place !== undefined && usage) usages.set(place, usage)
  }
  return usages
}

/** Whether a block in which words were seen has none by the model's reading, which does not say either that nothing is there to read. */
function saysNothing({ of: [first], content }: PageBlockReading, found: readonly FoundBlock[], skip: ReadonlySet<number>): boolean {
  const block = first === undefined || skip.has(first) ? undefined : found[first]
  if (!block || !kindsWithWords.has(content?.kind ?? block.kind)) return false
  return content === undefined || (content.text.trim() === '' && content.table === undefined && content.raw.trim() === '')
}

/** The blocks with what a reading makes of them: their kind, and box and words of those that were joined, where no content stands for them all. */
function seenBlocks(blocks: readonly LayoutBlock[], readings: readonly PageBlockReading[], places: readonly number[]): LayoutBlock[] {
  const seen = [...blocks]
  for (const { of, box, kind, content } of readings) {
    const members = of.flatMap((i) => blocks[places[i] as number] ?? [])
    const [first] = members
    if (!first) continue
    const joined = members.length > 1 && { box, ...(!content && { lines: members.flatMap(({ lines }) => lines) }) }
    seen[places[of[0] as number] as number] = { ...first, ...joined, ...(kind && { kind }) }
  }
  return seen
}

/** `isKnown`: blocks whose words are not the model's. */
function contentsOf(readings: readonly PageBlockReading[], places: readonly number[], isKnown: (index: number) => boolean): Map<number, BlockContent> {
  const contents = new Map<number, BlockContent>()
  for (const {
    of: [first],
    content,
  } of readings) {
    const place = first === undefined || isKnown(first) ? undefined : places[first]
    if (place !== undefined && content) contents.set(place, suspected(content))
  }
  return contents
}

/** Blocks that are in no reading, or in that of another. Words that a trusted layer has in one that is in none stay. */
function goneFrom(blocks: readonly LayoutBlock[], readings: readonly PageBlockReading[], places: readonly number[], skip: ReadonlySet<number>): Set<number> {
  const [first, joined] = [new Set(readings.map(({ of }) => of[0])), new Set(readings.flatMap(({ of }) => of.slice(1)))]
  const isGone = (place: number, i: number) => joined.has(i) || !(first.has(i) || skip.has(i) || blocks[place]?.lines.some((line) => line.words))
  return new Set(places.filter(isGone))
}

function foundBlock({ kind, box, angle, model, flags }: LayoutBlock): FoundBlock {
  const { type = typeOf[kind] ?? 'text', polygon, continues, content } = model ?? {}
  return {
    ...{ type, kind, box, angle: quarterTurn(angle), flags },
    ...(polygon && { polygon }),
    ...(continues && { continues }),
    ...(content && { content }),
  }
}

/** What both two-step families call the kinds that they are asked about outside their own layouts. */
const typeOf: Partial<Record<BlockKind, string>> = { formula: 'equation', table: 'table' }

const quarterTurn = (angle: number): QuarterTurn => ((((Math.round(angle / 90) % 4) + 4) % 4) * 90) as QuarterTurn
