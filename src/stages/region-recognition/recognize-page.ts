import type { Config } from '../../config/config.ts'
import type { Documents } from '../../runtime/document-reader.ts'
import type { LineReader, LineText } from '../../runtime/text-reader.ts'
import type { Flag, TextSource } from '../../schema/block-kind.ts'
import { sumOfUsage } from '../../schema/model-usage.ts'
import type { PageBlock, PageResult } from '../../schema/page.ts'
import { blockId } from '../block-id.ts'
import { type LaidOutPage, modelFailed, type RecognizedPage } from '../stage-values.ts'
import { withWholeLayer } from '../whole-layer.ts'
import { blockLook } from './block-look.ts'
import { checkConservation } from './conservation.ts'
import { kindsFromText } from './kinds/kinds-from-text.ts'
import { PageSpelling } from './lines/page-spelling.ts'
import { readRegions } from './lines/read-regions.ts'
import { WordReader } from './lines/word-reader.ts'
import { safeLink } from './markdown/safe-link.ts'
import { type ModelledPage, type ModelReading, readByModel } from './model/read-by-model.ts'
import { blockContent, type Finishing, pageBlock, picturedKinds } from './page-block.ts'
import { cutPictures } from './picture-blocks.ts'
import { PagePictures } from './pictures/page-pictures.ts'
import type { ReadBlock } from './read-block.ts'
import { readBlock, regionsToRead, saidBlock } from './read-blocks.ts'
import { spareWords } from './spare-words.ts'

export interface RecognitionEngines {
  readonly documents: Documents
  readonly reader: LineReader
  readonly config: Config
  readonly model?: ModelReading
}

/**
 * Reads all blocks of a page and makes its result. Rejects when the page should be tried again, and when the
 * picture had to be read, could not, and nothing else of the page can be given.
 */
export async function recognizePage(page: LaidOutPage, engines: RecognitionEngines, signal: AbortSignal): Promise<RecognizedPage> {
  try {
    return await recognize(page, engines, signal)
  } finally {
    engines.model?.pictures.release(page.page, page.frame)
  }
}

async function recognize(laidOut: LaidOutPage, { documents, reader, config, model }: RecognitionEngines, signal: AbortSignal): Promise<RecognizedPage> {
  const modelled = model && (await readByModel(laidOut, model, signal))
  const seen = modelled?.page ?? laidOut
  // Where lines are to be read, and cannot, the words that the document gives are better than none.
  const page = seen.verdict.regions.length > 0 ? await withWholeLayer(seen, documents) : seen
  const shown = model && page.blocks.some((block) => block.model) ? () => model.pictures.of(page.page, page.frame) : undefined
  const pictures = new PagePictures(page, documents, config, shown)
  const { texts, failure } = await readRegions(reader, pictures.whole, page.verdict.regions, page.blocks.map(regionsToRead), signal)
  const read = readBlocks(page, texts, modelled)
  if (failure !== undefined && read.blocks.every((block) => block.text === '')) throw failure
  const { pictured, files } = await cutPictures(read.toPicture, page, config.images ? pictures : undefined)
  const blocks = read.blocks.map((block) => {
    const picture = pictured.get(block.id)
    return picture ? { ...block, ...picture, markdown: block.flags.includes('hidden-text') ? '' : picture.markdown } : block
  })
  const usage = sumOfUsage([laidOut.usage, modelled?.usage])
  return { result: { ...pageResult(page, blocks), ...(usage && { usage }) }, images: files }
}

interface ReadPage {
  readonly blocks: PageBlock[]
  readonly toPicture: { block: PageBlock; tagged?: string; caption?: string }[]
}

function readBlocks(page: LaidOutPage, texts: ReadonlyMap<number, LineText>, modelled: ModelledPage | undefined): ReadPage {
  const { textLayer } = page
  const sources = { page, texts, words: new WordReader(textLayer), spareWords: spareWords(page) }
  const spelling = new PageSpelling(textLayer.words, texts)
  const finishing: Finishing = { sources, links: textLayer.links.map((link) => safeLink(link.uri)), join: { keepsHyphen: spelling.keepsHyphen } }
  const read = page.blocks.flatMap((layout, i) => {
    if (modelled?.gone.has(i)) return []
    const said = modelled?.contents.get(i)
    if (!modelled || !said) return readBlock(layout, i, sources)
    return saidBlock({ ...layout, source: modelled.source }, i, said)
  })
  const kinds = texts.size > 0 ? kindsFromText(read) : read
  const ids = kinds.map((_, order) => blockId(page.page, order))
  const idOf = new Map<number, string>()
  for (const [order, { layoutIndex }] of kinds.entries()) if (!idOf.has(layoutIndex)) idOf.set(layoutIndex, ids[order] ?? '')
  const blocks = kinds.map((block, order): PageBlock => {
    const content = blockContent(block, finishing)
    const parent = block.layout.parent === undefined ? undefined : idOf.get(block.layout.parent)
    const look = blockLook(block, content.text, page, nearby(kinds, order))
    const made = pageBlock({ id: ids[order] ?? '', page: page.page.pageIndex, order }, block, content, look)
    if (parent !== undefined) made.parent = parent
    const usage = idOf.get(block.layoutIndex) === made.id ? modelled?.usages.get(block.layoutIndex) : undefined
    if (usage) made.usage = usage
    return made
  })
  return { blocks, toPicture: kinds.flatMap((block, order) => toPicture(block, blocks[order], blocks)) }
}

function toPicture({ kind, layout }: ReadBlock, block: PageBlock | undefined, blocks: readonly PageBlock[]): ReadPage['toPicture'] {
  if (!block || !picturedKinds.has(kind) || block.latex !== undefined) return []
  const caption = blocks.find((other) => other.kind === 'caption' && other.parent === block.id)?.text
  return [{ block, ...(layout.alt === undefined ? {} : { tagged: layout.alt }), ...(caption === undefined ? {} : { caption }) }]
}

/** Blocks just before and after, to compare a block's place with. */
const nearby = (blocks: readonly ReadBlock[], order: number): ReadBlock[] => [
  ...blocks.slice(Math.max(0, order - 3), order),
  ...blocks.slice(order + 1, order + 4),
]

function pageResult(page: LaidOutPage, blocks: readonly PageBlock[]): PageResult {
  const { frame, textLayer, verdict } = page
  const { lost, repeated } = checkConservation(page)
  const flags = new Set<Flag>()
  if (lost > 0 || repeated > 0) flags.add('lost-text')
  if (verdict.badStyles.length > 0 || isLayerRefused(page)) flags.add('bad-text-layer')
  if (verdict.reasons.includes(modelFailed)) flags.add('fallback')
  for (const flag of ['hidden-text', 'unreadable', 'fallback'] as const) if (blocks.some((block) => block.flags.includes(flag))) flags.add(flag)
  return {
    index: page.page.pageIndex,
    ...(textLayer.label === undefined ? {} : { label: textLayer.label }),
    width: frame.width,
    height: frame.height,
    angle: frame.angle,
    textSource: textSourceOf(blocks),
    verdict: verdict.kind,
    reasons: [...verdict.reasons],
    status: 'ok',
    flags: [...flags],
    lostWords: lost,
    blocks: [...blocks],
  }
}

/** The page has words and is read from its picture all the same, not because the caller asked for that. */
const isLayerRefused = ({ page, textLayer, verdict }: LaidOutPage): boolean =>
  verdict.kind === 'needs-reading' && textLayer.words.length > 0 && page.ocr !== 'always'

function textSourceOf(blocks: readonly PageBlock[]): TextSource {
  const sources = new Set(blocks.filter((block) => block.source !== 'none').map((block) => (block.source.startsWith('vlm:') ? 'vlm' : block.source)))
  if (sources.size > 1) return 'mixed'
  const [only] = sources
  return (only as TextSource | undefined) ?? 'none'
}
