import type { Box } from '../../../schema/geometry.ts'
import type { Picture } from '../../document-reader.ts'
import { cropArea } from '../crops/crop-area.ts'

/** A copy of the pixels of a part of a page; the page itself where the part has not one. */
export function cropPage(picture: Picture, box: Box): Picture {
  const area = cropArea(box, picture, 'half-even')
  if (!area) return picture
  const { left, top, width, height } = area
  const stride = width * picture.channels
  const data = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * picture.width + left) * picture.channels
    data.set(picture.data.subarray(from, from + stride), y * stride)
  }
  return { data, width, height, channels: picture.channels, dpi: picture.dpi }
}
