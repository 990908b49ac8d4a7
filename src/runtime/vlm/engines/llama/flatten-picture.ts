import { PagestreamError } from '../../../../schema/failure.ts'
import { loadSharp } from '../../../documents/pictures/sharp.ts'
import type { SentPicture } from '../../engine.ts'
import type { RgbPicture } from './llama-protocol.ts'

/** More than any model looks at. */
const maxPixels = 64 * 1024 ** 2

/**
 * Decodes a picture to plain RGB, transparency on white. The library takes a damaged picture as far as it goes and reads past the end of a short
 * buffer: what crosses is whole and of the size that it says. Rejects with `picture-refused`.
 */
export async function flattenPicture({ bytes, width, height }: SentPicture): Promise<RgbPicture> {
  const sharp = await loadSharp()
  const image = sharp(bytes, { failOn: 'warning', limitInputPixels: maxPixels }).flatten({ background: '#ffffff' }).toColourspace('srgb').removeAlpha()
  const { data, info } = await image
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch((cause: unknown) => {
      throw new PagestreamError('picture-refused', 'decoding the picture: it cannot be decoded to the end', { cause })
    })
  if (info.width !== width || info.height !== height || info.channels !== 3) {
    throw new PagestreamError('picture-refused', `decoding the picture: it has ${info.width} x ${info.height} pixels and not ${width} x ${height}`)
  }
  return { width, height, rgb: data }
}
