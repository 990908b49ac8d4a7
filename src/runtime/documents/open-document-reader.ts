import { type FileHandle, open as openFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import type { Config } from '../../config/config.ts'
import { PagestreamError } from '../../schema/failure.ts'
import type { DocumentSource } from '../../schema/page.ts'
import type { DocumentReader, OpenDocument, OpenOptions } from '../document-reader.ts'
import { type DocumentMediaType, sniffedBytes, sniffMediaType } from './media-type.ts'
import { openPdfDocument } from './pdf/open-pdf-document.ts'
import { parkPdfThread, takePdfThread } from './pdf/pdf-thread.ts'
import { PdfWorkerPool } from './pdf/worker-pool.ts'

/** Opens PDFs in worker threads and pictures in this one. Nothing is loaded before the first document that needs it. */
export function documentReader(config: Config): DocumentReader {
  return new ContentReader(config)
}

class ContentReader implements DocumentReader {
  private readonly config: Config
  private readonly pool: PdfWorkerPool

  constructor(config: Config) {
    const { limits, engine, render } = config
    this.config = config
    this.pool = new PdfWorkerPool({
      workers: config.workers || availableParallelism(),
      settings: {
        limits: { maxRenderPixels: limits.maxRenderPixels, maxPagePoints: limits.maxPagePoints, dpi: render.dpi },
        engineMemoryBytes: limits.engineMemoryBytes,
        openDocuments: limits.openDocuments,
      },
      timeoutMs: limits.pageTimeoutMs,
      recyclePages: engine.recyclePages,
      recycleBytes: limits.engineMemoryBytes / 4,
      threads: { take: takePdfThread, park: parkPdfThread },
    })
  }

  async open(source: DocumentSource, options: OpenOptions): Promise<OpenDocument> {
    const type = await this.mediaType(source.path)
    if (type === 'application/pdf') return openPdfDocument(this.pool, source.path, options.password)
    const { openPicture } = await import('./pictures/open-picture.ts')
    return openPicture(source.path, type, this.config)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.close()
  }

  private async mediaType(path: string): Promise<DocumentMediaType> {
    let file: FileHandle | undefined
    try {
      file = await openFile(path, 'r')
      const { size } = await file.stat()
      if (size === 0) throw new PagestreamError('document-empty', 'opening the document: the file has no bytes')
      const limit = this.config.limits.maxDocumentBytes
      if (size > limit) throw new PagestreamError('document-too-large', `opening the document: its ${size} bytes are more than limits.maxDocumentBytes`)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0)
      const type = sniffMediaType(buffer.subarray(0, bytesRead))
      if (!type) throw new PagestreamError('document-not-supported', 'opening the document: its bytes are neither a PDF nor a known picture')
      return type
    } catch (error) {
      if (error instanceof PagestreamError) throw error
      throw new PagestreamError('document-not-found', 'opening the document: the file is missing or may not be read', { cause: error })
    } finally {
      await file?.close()
    }
  }
}
