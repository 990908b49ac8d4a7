import type { Box } from '../../../schema/geometry.ts'
import type { Picture } from '../../document-reader.ts'
import { loadSharp } from '../../documents/pictures/sharp.ts'
import { splitPage } from './split-page.ts'

/** Pixels of the longer side at which a page is looked at: lines of print are still apart. */
const lookSide = 800

/** Divides a page's picture as `splitPage` does. */
export async function partsOfPage(picture: Picture, parts: number): Promise<Box[]> {
  const sharp = await loadSharp()
  const { data, width, height, channels } = picture
  const small = sharp(data, { raw: { width, height, channels } }).resize(lookSide, lookSide, { fit: 'inside', withoutEnlargement: true })
  const { data: grey, info } = await small.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  return splitPage(
    { data: grey, width: info.width, height: info.height, channels: info.channels === 1 ? 1 : 3, dpi: (picture.dpi * info.width) / width },
    parts,
  )
}
