// The first page of a PDF as pixels, by PDFium. Its own faces stand in for the 14 standard fonts, so the result is the same on every machine.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { init } from '@embedpdf/pdfium'

const bgrx = 3

/** `bytes` of a PDF → grey pixels, one byte each, rows top to bottom: { data, width, height }. */
export async function renderPage(bytes, dpi) {
  const wasmBinary = readFileSync(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'))
  const pdfium = await init({ wasmBinary })
  pdfium.PDFiumExt_Init()
  const { wasmExports } = pdfium.pdfium
  const file = wasmExports.malloc(bytes.length)
  pdfium.pdfium.HEAPU8.set(bytes, file)
  const document = pdfium.FPDF_LoadMemDocument(file, bytes.length, '')
  if (document === 0) throw new Error('rendering a sample page: the document does not open')
  const page = pdfium.FPDF_LoadPage(document, 0)
  const width = Math.round((pdfium.FPDF_GetPageWidthF(page) * dpi) / 72)
  const height = Math.round((pdfium.FPDF_GetPageHeightF(page) * dpi) / 72)
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, bgrx, 0, 0)
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff)
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, 0)
  const from = pdfium.FPDFBitmap_GetBuffer(bitmap)
  const stride = pdfium.FPDFBitmap_GetStride(bitmap)
  const pixels = pdfium.pdfium.HEAPU8
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = from + y * stride + x * 4
      data[y * width + x] = (pixels[at] * 29 + pixels[at + 1] * 150 + pixels[at + 2] * 77) >> 8
    }
  }
  return { data, width, height }
}
