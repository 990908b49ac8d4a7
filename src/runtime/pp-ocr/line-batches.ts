import type { TextRegion } from '../../schema/page.ts'
import type { Picture } from '../document-reader.ts'
import { cornersInPixels, isTall, sizeOf } from './line-crop.ts'
import { scaledWidth } from './recognizer-input.ts'

/** Lines that one job reads, by their place in the page's list. */
export interface LineBatch {
  readonly indices: readonly number[]
  readonly costMs: number
}

/** Milliseconds of one core for each pixel of width, and for each line on top. Measured with the mobile models. */
const msPerPixel = 0.045
const msPerLine = 3

/** Expected work of reading a region. */
export function readingCostMs(region: TextRegion, picture: Picture): number {
  const corners = cornersInPixels(region, picture)
  const { width, height } = sizeOf(corners)
  return msPerLine + msPerPixel * (isTall(corners) ? 2 * scaledWidth(height, width) : scaledWidth(width, height))
}

/**
 * Cuts a page's lines into jobs of about `targetMs`: small enough to keep all workers busy to the end and to stop soon,
 * large enough that messages do not count. The dearest lines go first, so that no worker starts one when the others are done.
 */
export function lineBatches(regions: readonly TextRegion[], picture: Picture, targetMs: number): LineBatch[] {
  const costs = regions.map((region) => readingCostMs(region, picture))
  const order = regions.map((_, index) => index).sort((a, b) => (costs[b] as number) - (costs[a] as number))
  const batches: LineBatch[] = []
  let indices: number[] = []
  let costMs = 0
  for (const index of order) {
    indices.push(index)
    costMs += costs[index] as number
    if (costMs < targetMs) continue
    batches.push({ indices, costMs })
    indices = []
    costMs = 0
  }
  if (indices.length > 0) batches.push({ indices, costMs })
  return batches
}
