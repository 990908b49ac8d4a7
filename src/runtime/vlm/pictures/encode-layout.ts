import type { Picture } from '../../document-reader.ts'
import { loadSharp } from '../../documents/pictures/sharp.ts'
import type { SentPicture } from '../engine.ts'
import { sentPng } from './sent-png.ts'

/** The whole page stretched to a size in pixels, bicubic: the view of a family's first step. */
export async function encodeLayout(picture: Picture, size: { readonly width: number; readonly height: number }): Promise<SentPicture> {
  const sharp = await loadSharp()
  const { data, width, height, channels } = picture
  return sentPng(sharp(data, { raw: { width, height, channels } }).resize(size.width, size.height, { fit: 'fill', kernel: 'cubic' }))
}

/** The whole page in its shape, with at most so many pixels on the long side. */
export async function encodePage(picture: Picture, longSidePx: number): Promise<SentPicture> {
  const sharp = await loadSharp()
  const { data, width, height, channels } = picture
  const image = sharp(data, { raw: { width, height, channels } })
  const long = Math.max(width, height)
  if (long <= longSidePx) return sentPng(image)
  const scaled = (side: number) => Math.max(1, Math.round((side * longSidePx) / long))
  return sentPng(image.resize(scaled(width), scaled(height), { fit: 'fill', kernel: 'cubic' }))
}
