import type { DocumentInfo } from '../schema/document.ts'
import type { Box, QuarterTurn } from '../schema/geometry.ts'
import type { DocumentSource } from '../schema/page.ts'
import type { TextLayer } from '../schema/text-layer.ts'

/** Decoded pixels, rows top to bottom, no padding. */
export interface Picture {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  /** 1 grey, 3 RGB. */
  readonly channels: 1 | 3
  /** Pixels per inch of the page that it shows. */
  readonly dpi: number
}

export interface PictureOptions {
  /** Pixels per inch, or `native`: the resolution of the scan that fills the page, at most `render.dpi` where there is none. */
  readonly dpi: number | 'native'
  /** Turned clockwise by this before anything else: `PageFrame.angle`. */
  readonly angle: QuarterTurn
  /** Only this part, as fractions of the upright page. */
  readonly region?: Box
  /** `fewest`: 1 where no pixel has a colour, else 3. */
  readonly channels: 1 | 3 | 'fewest'
  /** Lower the resolution until the picture has at most so many pixels. */
  readonly maxPixels?: number
}

export interface TextLayerOptions {
  readonly sizeOnly?: boolean
}

export interface OpenOptions {
  readonly password?: string
}

/** One opened document. Whoever opened it closes it. Methods reject with `PagestreamError`. */
export interface OpenDocument extends AsyncDisposable {
  readonly info: DocumentInfo
  /**
   * The page's text layer; a picture's has a size and no words. `sizeOnly`: of a PDF's no more is read either, which costs a tenth. Rejects with
   * `page-*` codes.
   */
  textLayer(pageIndex: number, options?: TextLayerOptions): Promise<TextLayer>
  /** Renders (a PDF) or decodes (a picture) a page or a part of it. */
  picture(pageIndex: number, options: PictureOptions): Promise<Picture>
}

/** Opens PDFs and pictures, recognised by content. Rejects with `document-*`, `password-*`, `picture-*` codes. */
export interface DocumentReader extends AsyncDisposable {
  open(source: DocumentSource, options: OpenOptions): Promise<OpenDocument>
}

/**
 * Hands out opened documents, at most so many at a time, to whichever stage asks.
 * `use` opens the document when needed and keeps it open while it is in use and a while longer.
 */
export interface Documents extends AsyncDisposable {
  use<T>(source: DocumentSource, action: (document: OpenDocument) => Promise<T>): Promise<T>
  /** Closes the document as soon as nobody uses it. */
  release(source: DocumentSource): Promise<void>
}
