import type { DocumentInfo } from '../../../schema/document.ts'
import { PagestreamError } from '../../../schema/failure.ts'
import type { TextLayer } from '../../../schema/text-layer.ts'
import { unpackWords } from '../../../text-layer/pack-words.ts'
import type { OpenDocument, Picture, PictureOptions, TextLayerOptions } from '../../document-reader.ts'
import type { PdfSource } from './pdf-protocol.ts'
import type { PdfWorkerPool } from './worker-pool.ts'

let nextKey = 1

/** Opens a PDF in the pool. Rejects with `document-*`, `password-*`, `unsupported-encryption`. */
export async function openPdfDocument(pool: PdfWorkerPool, path: string, password: string | undefined): Promise<OpenDocument> {
  const source: PdfSource = { key: nextKey++, path, password }
  try {
    return new PooledPdf(pool, source, await pool.run(source, { kind: 'info' }))
  } catch (error) {
    pool.forget(source.key)
    throw error
  }
}

class PooledPdf implements OpenDocument {
  readonly info: DocumentInfo
  private readonly pool: PdfWorkerPool
  private readonly source: PdfSource

  constructor(pool: PdfWorkerPool, source: PdfSource, info: DocumentInfo) {
    this.pool = pool
    this.source = source
    this.info = info
  }

  async textLayer(pageIndex: number, { sizeOnly = false }: TextLayerOptions = {}): Promise<TextLayer> {
    this.check(pageIndex)
    const layer = await this.pool.run(this.source, { kind: 'text-layer', pageIndex, sizeOnly })
    return { ...layer, words: unpackWords(layer.words) }
  }

  async picture(pageIndex: number, options: PictureOptions): Promise<Picture> {
    this.check(pageIndex)
    return this.pool.run(this.source, { kind: 'picture', pageIndex, options })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.pool.forget(this.source.key)
  }

  private check(pageIndex: number): void {
    if (pageIndex < 0 || pageIndex >= this.info.pageCount) {
      throw new PagestreamError('page-corrupt', `loading page ${pageIndex + 1}: the document has ${this.info.pageCount} pages`)
    }
  }
}
