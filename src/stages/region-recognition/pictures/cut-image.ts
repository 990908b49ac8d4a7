import { encodePicture } from '../../../runtime/documents/pictures/encode-picture.ts'
import type { Box } from '../../../schema/geometry.ts'
import type { Image } from '../../../schema/page.ts'
import type { ImageFile } from '../../stage-values.ts'
import type { PagePictures } from './page-pictures.ts'

export interface CutImage {
  readonly image: Image
  readonly file: ImageFile
}

/** Cuts a part of the page out as a PNG file. Rejects with the codes of the picture's page. */
export async function cutImage(pictures: PagePictures, box: Box, path: string, alt: string): Promise<CutImage> {
  const picture = await pictures.part(box)
  const bytes = await encodePicture(picture, 'png')
  return { image: { path, widthPx: picture.width, heightPx: picture.height, alt }, file: { path, bytes } }
}
