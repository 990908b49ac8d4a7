import type { SentPicture } from '../../engine.ts'

/** As long as the picture lives: it is sent again after a failure, and asked about more than once. */
const uris = new WeakMap<SentPicture, Buffer>()

/** The data URI of a picture, in ASCII. Made once. */
export function pictureUri(picture: SentPicture): Buffer {
  const known = uris.get(picture)
  if (known !== undefined) return known
  const { bytes, mediaType } = picture
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  const uri = Buffer.from(`data:${mediaType};base64,${base64}`, 'latin1')
  uris.set(picture, uri)
  return uri
}
