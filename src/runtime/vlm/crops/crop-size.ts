import type { CropRule } from '../family.ts'

/** Whole pixels. */
export interface PixelSize {
  readonly width: number
  readonly height: number
}

export interface CropSize {
  /** The canvas, white but for the crop in its middle. The crop's own size where it is not too long. */
  readonly padded: PixelSize
  /** What the canvas is scaled to, bicubic, before it is encoded. */
  readonly sent: PixelSize
}

/**
 * What becomes of a crop of at least one pixel, after it was turned: padded to the longest ratio of sides, then enlarged to the least side. Models are
 * trained on pictures that were made so, with these very roundings: 25 pixels become 29, not 28.
 */
export function cropSize(size: PixelSize, rule: Pick<CropRule, 'mostRatio' | 'leastSide' | 'mostPixels'>): CropSize {
  const padded = pad(size, rule.mostRatio)
  return { padded, sent: shrink(enlarge(padded, rule.leastSide), rule.mostPixels) }
}

function pad({ width, height }: PixelSize, mostRatio: number): PixelSize {
  const [long, short] = [Math.max(width, height), Math.min(width, height)]
  if (long / short <= mostRatio) return { width, height }
  const least = Math.ceil(long / mostRatio)
  return { width: Math.max(width, least), height: Math.max(height, least) }
}

function enlarge(size: PixelSize, leastSide: number): PixelSize {
  const short = Math.min(size.width, size.height)
  if (short >= leastSide) return size
  const factor = leastSide / short
  return { width: Math.ceil(size.width * factor), height: Math.ceil(size.height * factor) }
}

function shrink(size: PixelSize, mostPixels = Infinity): PixelSize {
  const pixels = size.width * size.height
  if (pixels <= mostPixels) return size
  const factor = Math.sqrt(mostPixels / pixels)
  return { width: Math.max(1, Math.floor(size.width * factor)), height: Math.max(1, Math.floor(size.height * factor)) }
}
