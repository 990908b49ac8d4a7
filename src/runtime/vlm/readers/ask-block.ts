import { type FailureCode, PagestreamError } from '../../../schema/failure.ts'
import type { SentPicture } from '../engine.ts'
import type { BlockAnswer, BlockAsk, CropRule } from '../family.ts'
import type { PagePicture } from '../page-reader.ts'
import { encodeCrop } from '../pictures/encode-crop.ts'
import { askGuarded, orKept, secondTry } from './ask-guarded.ts'
import { type Asker, priorities } from './asker.ts'

/** Failures that a smaller picture may be spared: over the context, over what the server takes, over its memory. */
const failuresOfSize: ReadonlySet<FailureCode> = new Set(['picture-refused', 'engine-memory'])
/** Pixels of a crop below which its size is not what is wrong with it. */
const leastShrunk = 65_536

/**
 * Asks about a block of a page that was cut out of it: at half its pixels where it may be too large for the engine, with other dice where the answer runs in circles or says
 * nothing. Undefined for a block of less than a pixel. Rejects as `Asker.ask`.
 */
export async function askBlock(
  asker: Pick<Asker, 'ask'>,
  page: PagePicture,
  { ask, crop }: BlockAsk,
  sent: SentPicture | undefined,
  signal: AbortSignal | undefined,
): Promise<BlockAnswer | undefined> {
  if (!sent) return undefined
  const options = { priority: priorities.read, guard: { lines: true }, signal }
  const about = (crop: SentPicture, decoding = ask.decoding): Promise<BlockAnswer> => askGuarded(asker, { ...ask, decoding, picture: crop }, options)
  let first: BlockAnswer
  try {
    first = await about(sent)
  } catch (error) {
    const smaller = await shrunk(page, crop, sent, error)
    if (!smaller) throw error
    return about(smaller)
  }
  if (isSound(first)) return first
  const second = await orKept(about(sent, secondTry(ask.decoding)), first)
  return isSound(second) || first.text.trim() === '' ? second : first
}

/** What ended by itself and says something. */
const isSound = ({ text, finish }: BlockAnswer): boolean => finish === 'length' || (finish === 'stop' && text.trim() !== '')

/** The same block at half its pixels, where a question failed that may be too large for the engine; undefined where that is no way out. */
async function shrunk(page: PagePicture, crop: CropRule, { width, height }: SentPicture, error: unknown): Promise<SentPicture | undefined> {
  if (!(error instanceof PagestreamError) || !failuresOfSize.has(error.code) || width * height < leastShrunk) return undefined
  return encodeCrop(await page(), { ...crop, mostPixels: Math.floor((width * height) / 2) })
}
