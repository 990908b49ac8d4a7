import type { Picture } from '../../runtime/document-reader.ts'
import type { FoundText, TextFinder } from '../../runtime/text-reader.ts'
import type { GateReason } from './gate-reasons.ts'

/** Long side of what the finder looks at. Measured: at 640 nothing is missed but lines come out too coarse to read. */
export const gateSide = 640
export const readSide = 960
/** Small print on large pages: lines of a page with so many of them are found again at a larger size. */
const fineSide = 1280
/** Below this everywhere there is surely no writing. */
const surelyEmpty = 0.3

/** Finds the writing of a page picture for reading. A shadow of writing without a region is looked at again, larger. */
export async function findWriting(finder: TextFinder, picture: Picture, signal: AbortSignal): Promise<{ found: FoundText; reason: GateReason }> {
  const found = await finder.find(picture, { longSidePx: readSide }, signal)
  if (found.regions.length > 0) return { found, reason: 'writing-found' }
  if (found.bestProbability < surelyEmpty) return { found, reason: 'no-writing-found' }
  const again = await finder.find(picture, { longSidePx: fineSide }, signal)
  return { found: again, reason: again.regions.length > 0 ? 'writing-found' : 'faint-writing' }
}
