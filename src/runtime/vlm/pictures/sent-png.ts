import type { Sharp } from 'sharp'
import type { SentPicture } from '../engine.ts'

/** PNG at the lightest level: no pixel is lost, every engine reads it, and a stronger one costs more time than the network saves. */
export async function sentPng(image: Sharp): Promise<SentPicture> {
  const { data, info } = await image.png({ compressionLevel: 1, adaptiveFiltering: false }).toBuffer({ resolveWithObject: true })
  return { bytes: data, mediaType: 'image/png', width: info.width, height: info.height }
}
