import type { Picture } from '../document-reader.ts'
import { resample } from './resample.ts'

/** A planar picture `[1, 3, height, width]`, channels in the order B, G, R. */
export interface InputTensor {
  readonly data: Float32Array
  readonly width: number
  readonly height: number
}

/** Mean and deviation of ImageNet, which the models apply to B, G, R as they come. */
const mean = [0.485, 0.456, 0.406] as const
const deviation = [0.229, 0.224, 0.225] as const

/** The network halves its input five times. */
const multiple = 32

/**
 * Size of the detector's input: the long side scaled to `longSidePx` (up and down), cut to whole pixels,
 * then each side rounded to the nearest multiple of 32. Source: PaddleOCR, resize_long.
 */
export function detectorSize(width: number, height: number, longSidePx: number): { width: number; height: number } {
  const scale = longSidePx / Math.max(width, height)
  const side = (length: number) => Math.max(multiple, Math.round(Math.floor(length * scale) / multiple) * multiple)
  return { width: side(width), height: side(height) }
}

/** The detector's input for a picture: resized, 0..1, less the mean, by the deviation. */
export function detectorInput(picture: Picture, longSidePx: number): InputTensor {
  const { width, height } = detectorSize(picture.width, picture.height, longSidePx)
  const planes = resample({ ...picture, stride: picture.width * picture.channels }, width, height)
  const area = width * height
  const data = new Float32Array(3 * area)
  for (let channel = 0; channel < 3; channel++) {
    const plane = (picture.channels === 1 ? planes[0] : planes[2 - channel]) as Float32Array
    const scale = 1 / (255 * (deviation[channel] as number))
    const offset = (mean[channel] as number) / (deviation[channel] as number)
    const start = channel * area
    for (let i = 0; i < area; i++) data[start + i] = (plane[i] as number) * scale - offset
  }
  return { data, width, height }
}
