import type { Picture } from '../document-reader.ts'

/** Copies are kept as long as the picture that they were made of: finding and reading share one. */
const copies = new WeakMap<Picture, Picture>()

/** The same picture with its pixels in memory that all threads see. Pixels that are shared already are not copied. */
export function sharePicture(picture: Picture): Picture {
  if (picture.data.buffer instanceof SharedArrayBuffer) return picture
  const known = copies.get(picture)
  if (known) return known
  const data = new Uint8Array(new SharedArrayBuffer(picture.data.length))
  data.set(picture.data)
  const { width, height, channels, dpi } = picture
  const shared: Picture = { data, width, height, channels, dpi }
  copies.set(picture, shared)
  return shared
}
