import type { Box } from '../../../schema/geometry.ts'
import type { Picture } from '../../document-reader.ts'

/** A copy of the pixels in a box given as fractions of the picture; at least one pixel. */
export function cropPicture(picture: Picture, box: Box): Picture {
  const clamp = (value: number, most: number) => Math.min(most, Math.max(0, value))
  const left = clamp(Math.floor(box[0] * picture.width), picture.width - 1)
  const top = clamp(Math.floor(box[1] * picture.height), picture.height - 1)
  const width = Math.max(1, clamp(Math.ceil(box[2] * picture.width), picture.width) - left)
  const height = Math.max(1, clamp(Math.ceil(box[3] * picture.height), picture.height) - top)
  const stride = width * picture.channels
  const data = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * picture.width + left) * picture.channels
    data.set(picture.data.subarray(from, from + stride), y * stride)
  }
  return { data, width, height, channels: picture.channels, dpi: picture.dpi }
}
