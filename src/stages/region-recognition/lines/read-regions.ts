import type { Picture } from '../../../runtime/document-reader.ts'
import type { LineReader, LineText } from '../../../runtime/text-reader.ts'
import { PagestreamError } from '../../../schema/failure.ts'
import type { TextRegion } from '../../../schema/page.ts'

export interface RegionTexts {
  /** What was read, by the region's index in the verdict. Regions that could not be read are absent. */
  readonly texts: ReadonlyMap<number, LineText>
  /** Why some or all could not. */
  readonly failure?: unknown
}

/** A reader that failed so often in a row is taken for broken: the rest of the page is not tried. */
const maxFailures = 3

/**
 * Reads the regions of all blocks of a page from its picture in one go. When that fails the blocks are read one
 * by one, so that what spoils one leaves the others. Rejects only when the page should be tried again or was
 * given up: failures that are not the page's or the model's own.
 *
 * @param groups indices of regions, a group a block.
 */
export async function readRegions(
  reader: LineReader,
  picture: () => Promise<Picture>,
  regions: readonly TextRegion[],
  groups: readonly (readonly number[])[],
  signal: AbortSignal,
): Promise<RegionTexts> {
  const texts = new Map<number, LineText>()
  const wanted = groups.filter((group) => group.length > 0)
  if (wanted.length === 0) return { texts }
  const read = async (indices: readonly number[]): Promise<void> => {
    const known = indices.filter((index) => regions[index] !== undefined)
    const lines = await reader.read(
      await picture(),
      known.flatMap((index) => regions[index] ?? []),
      signal,
    )
    for (const [i, index] of known.entries()) {
      const line = lines[i]
      if (line) texts.set(index, line)
    }
  }
  let failure: unknown
  try {
    await read(wanted.flat())
    return { texts }
  } catch (error) {
    throwIfPassing(error, signal)
    failure = error
    if (!isOfOneBlock(error) || wanted.length === 1) return { texts, failure }
  }
  let failures = 0
  for (const group of wanted) {
    if (failures >= maxFailures) break
    try {
      await read(group)
      failures = 0
    } catch (error) {
      throwIfPassing(error, signal)
      failure = error
      failures++
    }
  }
  return { texts, failure }
}

/** What may go away by itself is the worker's to try again, with the whole page. */
function throwIfPassing(error: unknown, signal: AbortSignal): void {
  if (signal.aborted) throw error
  if (error instanceof PagestreamError && (error.class === 'transient' || error.class === 'overload' || error.class === 'expired-claim')) throw error
}

/** A missing model or a page without a picture fails every block alike. */
const isOfOneBlock = (error: unknown): boolean => !(error instanceof PagestreamError) || error.code === 'model-failed' || error.code === 'internal'
