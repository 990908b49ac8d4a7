import type { Box } from '../../../schema/geometry.ts'
import type { CropRule } from '../family.ts'
import type { PixelSize } from './crop-size.ts'

/** Whole pixels of the page's picture. */
export interface PixelArea extends PixelSize {
  readonly left: number
  readonly top: number
}

/** The pixels that a box covers, within the page; undefined where there is not one whole pixel. */
export function cropArea(box: Box, page: PixelSize, rounding: CropRule['rounding']): PixelArea | undefined {
  const whole = rounding === 'half-even' ? roundHalfEven : Math.trunc
  const edge = (fraction: number, side: number): number => Math.min(side, Math.max(0, whole(fraction * side)))
  const [left, top] = [edge(box[0], page.width), edge(box[1], page.height)]
  const [width, height] = [edge(box[2], page.width) - left, edge(box[3], page.height) - top]
  return width >= 1 && height >= 1 ? { left, top, width, height } : undefined
}

/** 10.5 becomes 10, 11.5 becomes 12. */
function roundHalfEven(value: number): number {
  const below = Math.floor(value)
  const rest = value - below
  if (rest !== 0.5) return Math.round(value)
  return below % 2 === 0 ? below : below + 1
}
