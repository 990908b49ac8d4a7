import type { Effort } from '../../../config/vlm-config.ts'
import { centerY, overlapX, width } from '../../../geometry/box.ts'
import type { Documents } from '../../../runtime/document-reader.ts'
import type { TextFinder } from '../../../runtime/text-reader.ts'
import type { FoundBlock, VlmPageReader } from '../../../runtime/vlm/page-reader.ts'
import type { PictureCache } from '../../../runtime/vlm/pictures/picture-cache.ts'
import { PagestreamError } from '../../../schema/failure.ts'
import { type ModelUsage, sumOfUsage } from '../../../schema/model-usage.ts'
import type { LayoutBlock } from '../../../schema/page.ts'
import { earlyBlock } from '../../early-block.ts'
import { type GatedPage, type LaidOutPage, modelFailed } from '../../stage-values.ts'
import { withWholeLayer } from '../../whole-layer.ts'
import { layoutPage } from '../layout-page.ts'
import { hidden, shareLines } from './model-lines.ts'

/** What the stage looks at pages with where there is a vision-language model. */
export interface ModelLayout {
  readonly reader: VlmPageReader
  readonly pictures: PictureCache
  readonly documents: Documents
  /** For pages that the model makes no sense of. */
  readonly finder: TextFinder
  readonly effort: Effort
}

/** Whether a page is one for the model: by the gate's verdict, as much as the configured effort wants. */
export function modelLooksAt({ page, verdict }: GatedPage, { effort }: Pick<ModelLayout, 'effort'>): boolean {
  if (page.ocr === 'never' || verdict.kind === 'blank' || effort === 'low') return false
  return effort === 'high' || verdict.kind === 'needs-reading'
}

/**
 * The blocks that the model sees. Where the page has words that are trusted, each block is given those that stand in it, and what stands in none
 * keeps its block. A page that the model makes no sense of, or sees nothing on, is laid out by geometry, and says so.
 */
export async function layoutByModel(input: GatedPage, model: ModelLayout, signal: AbortSignal): Promise<LaidOutPage> {
  const usages: ModelUsage[] = []
  const page = await layOut(input, model, signal, (usage) => usages.push(usage))
  const usage = sumOfUsage(usages)
  return usage ? { ...page, usage } : page
}

async function layOut(input: GatedPage, model: ModelLayout, signal: AbortSignal, onAnswer: (usage: ModelUsage) => void): Promise<LaidOutPage> {
  const picture = () => model.pictures.of(input.page, input.frame)
  const { tell } = input
  let found: FoundBlock[]
  try {
    found = await model.reader.layout(picture, {
      ...{ signal, onAnswer },
      ...(tell && {
        onBlock: (block, index) => {
          if (block.content) tell(earlyBlock(input.page, block, index, block.content, model.reader.model))
        },
      }),
    })
  } catch (error) {
    if (!(error instanceof PagestreamError) || error.class !== 'model') throw error
    return fallBack(input, model, signal)
  }
  // No page that must be read is blank.
  if (found.length === 0 && input.verdict.kind !== 'text-layer') return fallBack(input, model, signal)
  const hasLayer = input.verdict.kind === 'text-layer' || input.verdict.kind === 'mixed'
  const { lines, byLayer, left } = shareLines(hasLayer ? layoutPage({ ...input, verdict: { ...input.verdict, regions: [] } }) : [], found)
  const blocks = found.map((block, index): LayoutBlock => layoutBlock(block, lines[index] ?? [], byLayer[index] === true, model.reader.model))
  return { ...input, blocks: withStray(blocks, left) }
}

function layoutBlock(found: FoundBlock, lines: readonly LayoutBlock['lines'][number][], byLayer: boolean, model: string): LayoutBlock {
  const { type, kind, box, angle, polygon, continues, content, flags } = found
  return {
    ...{ kind, box, angle, lines: [...lines], source: `vlm:${model}`, flags: [...flags] },
    model: {
      type,
      ...(byLayer && { byLayer }),
      ...(polygon && { polygon }),
      ...(continues && { continues }),
      ...(content && { content }),
    },
  }
}

/** Blocks that the model did not see stand before the first of its blocks that lies below them in the same column, or at the end, as hidden writing does. */
function withStray(blocks: readonly LayoutBlock[], stray: readonly LayoutBlock[]): LayoutBlock[] {
  const all = [...blocks]
  for (const block of stray) {
    const { parent: _, ...alone } = block
    const at = all.findIndex(
      (other) =>
        !block.flags.includes(hidden) &&
        centerY(other.box) > centerY(block.box) &&
        overlapX(other.box, block.box) > 0.3 * Math.min(width(other.box), width(block.box)),
    )
    all.splice(at < 0 ? all.length : at, 0, alone)
  }
  return all
}

/** Long side of what the finder looks at to read, in pixels. */
const readSide = 960

async function fallBack(gated: GatedPage, { pictures, documents, finder }: ModelLayout, signal: AbortSignal): Promise<LaidOutPage> {
  const input = await withWholeLayer(gated, documents)
  const { verdict } = input
  const regions =
    verdict.regions.length > 0 ? verdict.regions : (await finder.find(await pictures.of(input.page, input.frame), { longSidePx: readSide }, signal)).regions
  const read: GatedPage = { ...input, verdict: { ...verdict, reasons: [...verdict.reasons, modelFailed], regions: [...regions] } }
  return { ...read, blocks: layoutPage(read).map((block) => ({ ...block, flags: [...block.flags, 'fallback'] })) }
}
