import type { Picture } from '../../document-reader.ts'
import { loadSharp } from './sharp.ts'

/** A picture as a file: `png` keeps every pixel, `jpeg` is smaller for people to look at. */
export async function encodePicture(picture: Picture, format: 'png' | 'jpeg'): Promise<Uint8Array> {
  const sharp = await loadSharp()
  const { data, width, height, channels } = picture
  const image = sharp(data, { raw: { width, height, channels } })
  const bytes = await (format === 'png' ? image.png({ compressionLevel: 6 }) : image.jpeg({ quality: 80 })).toBuffer()
  return new Uint8Array(bytes)
}
