import type { SentPicture } from '../../engine.ts'

/** As long as the picture lives: it is sent again after a failure, and asked about more than once. */
const uris = new WeakMap<SentPicture, Buffer>()

/** The data URI of a picture, in ASCII. Made once. */
export function pictureUri(picture: SentPicture): Buffer {
  const known = uris.get(picture)
  if (known !== undefined) return known
  const { bytes, mediaType } = picture
  const head = `data:${mediaType};base64,`
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  const uri = Buffer.allocUnsafe(head.length + base64.length)
  uri.write(head, 0, 'latin1')
  uri.write(base64, head.length, 'latin1')
  uris.set(picture, uri)
  return uri
}
