/** What the first bytes of a file say it is; names and extensions are never looked at. */
export type DocumentMediaType = 'application/pdf' | PictureMediaType
export type PictureMediaType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/tiff' | 'image/gif' | 'image/avif' | 'image/heif'

/** So many bytes decide: a PDF header may stand anywhere in the first 1024 bytes (PDF 32000-1, implementation note 13 of Annex H). */
export const sniffedBytes = 1024 + 8

const ascii = (bytes: Uint8Array, at: number, text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

/** Where `%PDF-` stands in the first 1024 bytes; -1 when nowhere. */
export function pdfHeaderOffset(bytes: Uint8Array): number {
  const last = Math.min(bytes.length - 5, 1024)
  for (let at = 0; at <= last; at++) if (bytes[at] === 0x25 && ascii(bytes, at, '%PDF-')) return at
  return -1
}

/** ISO base media files name what they hold by brands: the major one at 8, compatible ones from 16 on. */
function isoMediaType(bytes: Uint8Array): PictureMediaType | undefined {
  const size = ((bytes[0] ?? 0) << 24) | ((bytes[1] ?? 0) << 16) | ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0)
  const end = Math.min(bytes.length, Math.max(size, 12), 256)
  let heif = false
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4) {
    if (ascii(bytes, at, 'avif') || ascii(bytes, at, 'avis')) return 'image/avif'
    if (ascii(bytes, at, 'mif1') || ascii(bytes, at, 'heic') || ascii(bytes, at, 'heix')) heif = true
  }
  return heif ? 'image/heif' : undefined
}

/** The media type of a file that begins with these bytes (at least `sniffedBytes` of it, or all); `undefined` when it is none that we read. */
export function sniffMediaType(bytes: Uint8Array): DocumentMediaType | undefined {
  if (ascii(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg'
  if (ascii(bytes, 0, 'RIFF') && ascii(bytes, 8, 'WEBP')) return 'image/webp'
  if (ascii(bytes, 0, 'II*\0') || ascii(bytes, 0, 'MM\0*') || ascii(bytes, 0, 'II+\0') || ascii(bytes, 0, 'MM\0+')) return 'image/tiff'
  if (ascii(bytes, 0, 'GIF87a') || ascii(bytes, 0, 'GIF89a')) return 'image/gif'
  if (ascii(bytes, 4, 'ftyp')) return isoMediaType(bytes)
  return pdfHeaderOffset(bytes) >= 0 ? 'application/pdf' : undefined
}
