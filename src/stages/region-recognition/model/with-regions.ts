import { area, centerX, centerY, contains, toFractions } from '../../../geometry/box.ts'
import type { LayoutBlock, LayoutLine } from '../../../schema/page.ts'
import { regionBox } from '../../region-box.ts'
import type { LaidOutPage } from '../../stage-values.ts'
import type { ModelReading } from './read-by-model.ts'

/** Long side of what the finder looks at, in pixels. */
const readSide = 960

/**
 * The page with lines for blocks that the model could not read: words of the text layer where they have some, else what the text finder sees in their
 * boxes. They are flagged.
 */
export async function withRegions(
  page: LaidOutPage,
  places: readonly number[],
  { finder, pictures }: Pick<ModelReading, 'finder' | 'pictures'>,
  signal: AbortSignal,
): Promise<LaidOutPage> {
  const bare = places.filter((place) => (page.blocks[place]?.lines.length ?? 0) === 0)
  const { verdict, frame } = page
  const regions = [...verdict.regions]
  const first = regions.length
  if (bare.length > 0) regions.push(...(await finder.find(await pictures.of(page.page, frame), { longSidePx: readSide }, signal)).regions)
  const lines: LayoutLine[] = regions
    .slice(first)
    .map((region, i) => ({ box: toFractions(regionBox(region, frame.width, frame.height), frame.width, frame.height), region: first + i }))
  const failed = new Set(places)
  const toRead = page.blocks.filter((_, place) => failed.has(place))
  const homes = lines.map((line) => homeOf(line, toRead))
  const blocks = page.blocks.map((block, place): LayoutBlock => {
    if (!failed.has(place)) return block
    const own = block.lines.length > 0 ? block.lines : lines.filter((_, i) => homes[i] === block).sort(byPlace)
    return { ...block, lines: own, flags: [...new Set([...block.flags, 'fallback' as const])] }
  })
  return { ...page, verdict: { ...verdict, regions }, blocks }
}

/** The smallest block that holds the middle of a line: what stands in several is read once. */
function homeOf({ box }: LayoutLine, blocks: readonly LayoutBlock[]): LayoutBlock | undefined {
  const holding = blocks.filter((block) => contains(block.box, centerX(box), centerY(box)))
  return holding.sort((a, b) => area(a.box) - area(b.box))[0]
}

const byPlace = (a: LayoutLine, b: LayoutLine): number => a.box[1] - b.box[1] || a.box[0] - b.box[0]
