import type { Engine } from './engine.ts'
import type { Paint } from './page-objects.ts'

/** Pictures with more pixels are not decoded to learn whether they are transparent: so large are scans, not watermarks. */
const maxPixels = 24_000_000
/** Checks a page; a page that needs more has words doubted in favour of being seen. */
const maxChecks = 32

/**
 * Whether a picture hides what lies under it. A picture may have a soft mask (watermarks, stamps) of which the page
 * objects tell nothing, so it is decoded at the size at which it is shown. Asked only when words lie under a picture.
 */
export class PictureOpacity {
  private readonly engine: Engine
  private readonly document: number
  private readonly page: number
  private readonly known = new Map<number, boolean>()

  constructor(engine: Engine, document: number, page: number) {
    this.engine = engine
    this.document = document
    this.page = page
  }

  isOpaqueAt(paint: Paint, _x: number, _y: number): boolean {
    const { picture } = paint
    if (picture === undefined) return false
    const known = this.known.get(picture)
    if (known !== undefined) return known
    const opaque = this.known.size < maxChecks && this.isOpaque(picture)
    this.known.set(picture, opaque)
    return opaque
  }

  private isOpaque(picture: number): boolean {
    const { call, heap, scratch } = this.engine
    if (call.FPDFPageObj_HasTransparency(picture)) return false
    if (!call.FPDFImageObj_GetImagePixelSize(picture, scratch, scratch + 4)) return false
    if ((heap.u32[scratch >> 2] ?? 0) * (heap.u32[(scratch >> 2) + 1] ?? 0) > maxPixels) return true
    const bitmap = call.FPDFImageObj_GetRenderedBitmap(this.document, this.page, picture)
    if (bitmap === 0) return false
    try {
      return this.share(bitmap) > 0.98
    } finally {
      call.FPDFBitmap_Destroy(bitmap)
    }
  }

  /** Share of fully opaque pixels of a BGRA bitmap; other formats have no transparency. */
  private share(bitmap: number): number {
    const { call, heap } = this.engine
    const bgra = 4
    if (call.FPDFBitmap_GetFormat(bitmap) !== bgra) return 1
    const width = call.FPDFBitmap_GetWidth(bitmap)
    const height = call.FPDFBitmap_GetHeight(bitmap)
    const stride = call.FPDFBitmap_GetStride(bitmap)
    const buffer = call.FPDFBitmap_GetBuffer(bitmap)
    const step = Math.max(1, Math.floor(Math.max(width, height) / 200))
    let opaque = 0
    let all = 0
    for (let y = 0; y < height; y += step) {
      for (let x = 0; x < width; x += step) {
        all++
        if ((heap.u8[buffer + y * stride + x * 4 + 3] ?? 0) > 250) opaque++
      }
    }
    return all === 0 ? 0 : opaque / all
  }
}
