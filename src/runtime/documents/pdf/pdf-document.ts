import type { DocumentInfo } from '../../../schema/document.ts'
import type { TextLayer } from '../../../schema/text-layer.ts'
import type { Picture, PictureOptions } from '../../document-reader.ts'
import { readDocumentInfo } from './document-info.ts'
import type { Engine } from './engine.ts'
import type { OpenPage } from './open-page.ts'
import { openPdf, type PdfHandle } from './open-pdf.ts'
import { pageFrame } from './page-frame.ts'
import { readPageObjects } from './page-objects.ts'
import { PdfFailure } from './pdf-failure.ts'
import { nativeDpi, renderPage } from './render-page.ts'
import { readSize, readTextLayer } from './text-layer.ts'
import { findUserUnits } from './user-units.ts'

export interface PdfLimits {
  readonly maxRenderPixels: number
  readonly maxPagePoints: number
  /** Resolution of a page that has none of its own. */
  readonly dpi: number
}

/**
 * A PDF that is open in an engine. A page is loaded for one question: an open page holds all it draws. The last one is
 * closed only when the next has been loaded: the engine keeps a font for as long as an open page uses it.
 */
export class PdfDocument {
  readonly info: DocumentInfo
  private readonly engine: Engine
  private readonly handle: PdfHandle
  private readonly limits: PdfLimits
  /** By object number of the page. */
  private readonly userUnits: ReadonlyMap<number, number>
  private readonly formInfo: number
  private readonly form: number
  /** The page of the last question, 0 for none. */
  private lastPage = 0

  /** Throws the failures of `openPdf` and `document-no-pages`. */
  constructor(engine: Engine, path: string, password: string | undefined, limits: PdfLimits) {
    this.engine = engine
    this.limits = limits
    this.handle = openPdf(engine, path, password)
    const { call } = engine
    const { document } = this.handle
    try {
      const pageCount = call.FPDF_GetPageCount(document)
      if (pageCount < 1) throw new PdfFailure('document-no-pages', 'opening the document: it has no pages')
      this.info = readDocumentInfo(engine, document, pageCount)
      this.userUnits = findUserUnits(this.handle.bytes())
      const hasForm = call.FPDF_GetFormType(document) !== 0
      this.formInfo = hasForm ? call.PDFiumExt_OpenFormFillInfo() : 0
      this.form = this.formInfo === 0 ? 0 : call.PDFiumExt_InitFormFillEnvironment(document, this.formInfo)
    } catch (error) {
      this.handle.close()
      throw error
    }
  }

  textLayer(pageIndex: number, sizeOnly = false): TextLayer {
    return this.withPage(pageIndex, (page) => (sizeOnly ? readSize(this.engine, page) : readTextLayer(this.engine, page)))
  }

  picture(pageIndex: number, options: PictureOptions): Picture {
    return this.withPage(pageIndex, (page) => {
      const { engine, limits } = this
      const dpi = options.dpi === 'native' ? nativeDpi(readPageObjects(engine, page.page, page.frame).pictures, page.frame, limits.dpi) : options.dpi
      return renderPage(engine, page, { ...options, dpi }, limits.maxRenderPixels)
    })
  }

  close(): void {
    const { call } = this.engine
    this.closeLastPage()
    if (this.form !== 0) call.PDFiumExt_ExitFormFillEnvironment(this.form)
    if (this.formInfo !== 0) call.PDFiumExt_CloseFormFillInfo(this.formInfo)
    this.handle.close()
  }

  private userUnit(pageIndex: number): number {
    if (this.userUnits.size === 0) return 1
    return this.userUnits.get(this.engine.call.EPDFDoc_GetPageObjectNumberByIndex(this.handle.document, pageIndex)) ?? 1
  }

  private withPage<T>(pageIndex: number, action: (page: OpenPage) => T): T {
    const { engine, form } = this
    const { call } = engine
    const { document } = this.handle
    const page = call.FPDF_LoadPage(document, pageIndex)
    this.closeLastPage()
    this.lastPage = page
    if (page === 0) throw new PdfFailure('page-corrupt', `loading page ${pageIndex + 1}: it is listed but cannot be loaded`)
    const frame = pageFrame(engine, page, this.userUnit(pageIndex))
    const longest = Math.max(frame.width, frame.height)
    if (!(Math.min(frame.width, frame.height) > 0) || longest > this.limits.maxPagePoints) {
      throw new PdfFailure('page-too-large', `loading page ${pageIndex + 1}: its size is ${frame.width} x ${frame.height} points`)
    }
    const label = engine.readText((b, n) => call.FPDF_GetPageLabel(document, pageIndex, b, n), 'utf-16')
    if (form !== 0) call.FORM_OnAfterLoadPage(page, form)
    try {
      return action({ document, pageIndex, page, frame, form, tagged: this.info.tagged, label })
    } finally {
      if (form !== 0) call.FORM_OnBeforeClosePage(page, form)
    }
  }

  private closeLastPage(): void {
    if (this.lastPage !== 0) this.engine.call.FPDF_ClosePage(this.lastPage)
    this.lastPage = 0
  }
}
