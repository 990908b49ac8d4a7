import type { Picture } from '../../document-reader.ts'
import { loadSharp } from '../../documents/pictures/sharp.ts'
import type { SentPicture } from '../engine.ts'
import { sentPng } from './sent-png.ts'

/** The whole page at a size in pixels, bicubic, stretched where its shape is another: what a family looks at first. */
export async function encodeLayout(picture: Picture, size: { readonly width: number; readonly height: number }): Promise<SentPicture> {
  const sharp = await loadSharp()
  const { data, width, height, channels } = picture
  const read = sharp(data, { raw: { width, height, channels } })
  // The library makes three channels of one unless it is told: twice the bytes on their way to the engine.
  const image = channels === 1 ? read.toColourspace('b-w') : read
  if (width === size.width && height === size.height) return sentPng(image)
  return sentPng(image.resize(size.width, size.height, { fit: 'fill', kernel: 'cubic' }))
}
