import type { Config } from '../../../config/config.ts'
import { PagestreamError } from '../../../schema/failure.ts'
import type { OpenDocument } from '../../document-reader.ts'
import type { PictureMediaType } from '../media-type.ts'

export async function openPicture(_path: string, _type: PictureMediaType, _config: Config): Promise<OpenDocument> {
  throw new PagestreamError('document-not-supported', 'opening the picture: not yet')
}
