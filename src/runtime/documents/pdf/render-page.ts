import type { PointBox } from '../../../schema/text-layer.ts'
import type { Picture, PictureOptions } from '../../document-reader.ts'
import { renderSize } from '../render-size.ts'
import { type Engine, EngineMemoryError } from './engine.ts'
import type { OpenPage } from './open-page.ts'
import type { DrawnPicture } from './page-objects.ts'

/** `FPDF_ANNOT`, `FPDF_GRAYSCALE`, `FPDF_REVERSE_BYTE_ORDER` */
const drawAnnotations = 0x01
const grayscale = 0x08
const reverseByteOrder = 0x10
/** `FPDFBitmap_Gray`, `FPDFBitmap_BGRx` */
const formatGray = 1
const formatBgrx = 3
const white = 0xffffffff

/** Renders a page or a part of it on white, annotations and form values included. Rows without padding. */
export function renderPage(engine: Engine, open: OpenPage, options: PictureOptions & { dpi: number }, maxPixels: number): Picture {
  const { call, heap } = engine
  const size = renderSize(open.frame, { ...options, maxPixels: Math.min(maxPixels, options.maxPixels ?? maxPixels) })
  const gray = options.channels === 1
  const bitmap = call.FPDFBitmap_CreateEx(size.width, size.height, gray ? formatGray : formatBgrx, 0, 0)
  if (bitmap === 0) throw new EngineMemoryError(size.width * size.height * (gray ? 1 : 4))
  try {
    call.FPDFBitmap_FillRect(bitmap, 0, 0, size.width, size.height, white)
    const turn = options.angle / 90
    const flags = drawAnnotations | (gray ? grayscale : reverseByteOrder)
    call.FPDF_RenderPageBitmap(bitmap, open.page, -size.left, -size.top, size.pageWidthPx, size.pageHeightPx, turn, flags)
    if (open.form !== 0) call.FPDF_FFLDraw(open.form, bitmap, open.page, -size.left, -size.top, size.pageWidthPx, size.pageHeightPx, turn, flags)
    const buffer = call.FPDFBitmap_GetBuffer(bitmap)
    const stride = call.FPDFBitmap_GetStride(bitmap)
    if (gray) {
      const rows = heap.u8.subarray(buffer, buffer + stride * size.height)
      return { data: unpadded(rows, stride, size.width, size.height), width: size.width, height: size.height, channels: 1, dpi: size.dpi }
    }
    const [first, last] = [buffer / 4, (buffer + stride * size.height) / 4]
    const grey = options.channels === 'fewest' ? withoutColour(heap.i32.subarray(first, last), stride / 4, size.width, size.height) : undefined
    const data = grey ?? withoutAlpha(heap.u32.subarray(first, last), stride / 4, size.width, size.height)
    return { data, width: size.width, height: size.height, channels: grey ? 1 : 3, dpi: size.dpi }
  } finally {
    call.FPDFBitmap_Destroy(bitmap)
  }
}

function unpadded(rows: Uint8Array, stride: number, width: number, height: number): Uint8Array {
  if (stride === width) return rows.slice()
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) data.set(rows.subarray(y * stride, y * stride + width), y * width)
  return data
}

/** White, or any other pixel with all bits. */
const blank = -1

/**
 * Pixels of 32 bits (red in the lowest byte, then green and blue) as bytes of grey; undefined where one has a colour. `stride` in pixels. Most of a page is
 * blank, which is passed over four pixels at a time: this takes as long as drawing else.
 */
function withoutColour(pixels: Int32Array, stride: number, width: number, height: number): Uint8Array | undefined {
  const data = new Uint8Array(width * height).fill(255)
  const inFours = width - (width % 4)
  for (let y = 0, to = 0; y < height; y++, to += width) {
    const from = y * stride
    let colour = 0
    for (let x = 0; x < inFours; x += 4) {
      const i = from + x
      const o = to + x
      const a = pixels[i] as number
      const b = pixels[i + 1] as number
      const c = pixels[i + 2] as number
      const d = pixels[i + 3] as number
      if ((a & b & c & d) === blank) continue
      colour |= (a ^ (a >>> 8)) | (b ^ (b >>> 8)) | (c ^ (c >>> 8)) | (d ^ (d >>> 8))
      data[o] = a
      data[o + 1] = b
      data[o + 2] = c
      data[o + 3] = d
    }
    for (let x = inFours; x < width; x++) {
      const pixel = pixels[from + x] as number
      colour |= pixel ^ (pixel >>> 8)
      data[to + x] = pixel
    }
    if ((colour & 0xffff) !== 0) return undefined
  }
  return data
}

function withoutAlpha(pixels: Uint32Array, stride: number, width: number, height: number): Uint8Array {
  const data = new Uint8Array(width * height * 3)
  let to = 0
  for (let y = 0; y < height; y++) {
    const start = y * stride
    const end = start + width
    for (let from = start; from < end; from++) {
      const pixel = pixels[from] as number
      data[to] = pixel
      data[to + 1] = pixel >>> 8
      data[to + 2] = pixel >>> 16
      to += 3
    }
  }
  return data
}

/** A picture that fills less of the page is an illustration, not a scan. */
const scanShare = 0.5
const coarsestDpi = 72
/** Print of 6 points is 25 pixels high: more adds memory, not letters. */
const finestDpi = 300

/**
 * The resolution at which the page's own pictures lose nothing, when pictures fill the page (a scan, also one that is
 * cut into strips); `fallback` else.
 */
export function nativeDpi(pictures: readonly DrawnPicture[], page: { width: number; height: number }, fallback: number): number {
  const onPage = (box: PointBox) =>
    Math.max(0, Math.min(box[2], page.width) - Math.max(box[0], 0)) * Math.max(0, Math.min(box[3], page.height) - Math.max(box[1], 0))
  let covered = 0
  let best = 0
  let dpi = fallback
  for (const { box, widthPx, heightPx } of pictures) {
    const share = onPage(box)
    covered += share
    if (share <= best || widthPx === 0 || heightPx === 0) continue
    best = share
    const area = (box[2] - box[0]) * (box[3] - box[1])
    dpi = Math.sqrt((widthPx * heightPx) / area) * 72
  }
  if (covered < scanShare * page.width * page.height || best === 0) return fallback
  return Math.min(finestDpi, Math.max(coarsestDpi, dpi))
}
