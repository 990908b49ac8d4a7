import type { Picture } from '../../runtime/document-reader.ts'
import type { LineReader, LineText, TextFinder } from '../../runtime/text-reader.ts'
import type { TextRegion } from '../../schema/page.ts'
import type { GateReason } from './gate-reasons.ts'

/** Long side of what the finder looks at. At 640 no page with writing is missed, but lines come out too coarse to read. */
export const gateSide = 640
export const readSide = 960
const fineSide = 1280
/** Below this everywhere there is surely no writing. */
const surelyEmpty = 0.3
/** A page with so few regions may be a photograph in which something looks like a letter. */
const fewRegions = 3
/** A region that the finder is so sure of is writing, even if the reader does not know the alphabet. */
const sureScore = 0.8
const readable = 0.6
const readableAlone = 0.9

export interface Writing {
  readonly regions: readonly TextRegion[]
  readonly reason: GateReason
}

/**
 * Finds the writing of a page picture for reading. A shadow of writing without a region is looked at again, larger,
 * when the picture has more detail to show; a few uncertain regions count only when they can be read.
 */
export async function findWriting(picture: Picture, engines: { finder: TextFinder; reader: LineReader }, signal: AbortSignal): Promise<Writing> {
  const { finder, reader } = engines
  const found = await finder.find(picture, { longSidePx: readSide }, signal)
  if (found.regions.length > 0) return confirmed(picture, found.regions, reader, signal)
  if (found.bestProbability < surelyEmpty) return { regions: [], reason: 'no-writing-found' }
  if (Math.max(picture.width, picture.height) < fineSide) return { regions: [], reason: 'faint-writing' }
  const again = await finder.find(picture, { longSidePx: fineSide }, signal)
  return again.regions.length > 0 ? confirmed(picture, again.regions, reader, signal) : { regions: [], reason: 'faint-writing' }
}

async function confirmed(picture: Picture, regions: readonly TextRegion[], reader: LineReader, signal: AbortSignal): Promise<Writing> {
  const kept = await readableRegions(picture, regions, reader, signal)
  return kept.length > 0 ? { regions: kept, reason: 'writing-found' } : { regions: [], reason: 'faint-writing' }
}

/** The regions, or of a few only those that are surely writing. */
export async function readableRegions(
  picture: Picture,
  regions: readonly TextRegion[],
  reader: LineReader,
  signal: AbortSignal,
): Promise<readonly TextRegion[]> {
  if (regions.length > fewRegions || regions.every((region) => region.score >= sureScore)) return regions
  const lines = await reader.read(picture, regions, signal)
  return regions.filter((region, i) => region.score >= sureScore || isReadable(lines[i]))
}

function isReadable(line: LineText | undefined): boolean {
  if (!line) return false
  const characters = line.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  return characters >= 2 ? line.confidence >= readable : characters === 1 && line.confidence >= readableAlone
}
