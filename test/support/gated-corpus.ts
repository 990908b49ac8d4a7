import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../src/config/config.ts'
import type { Documents } from '../../src/runtime/document-reader.ts'
import { documentPool } from '../../src/runtime/documents/document-pool.ts'
import { documentReader } from '../../src/runtime/documents/open-document-reader.ts'
import { type PpOcr, ppOcr } from '../../src/runtime/pp-ocr/pp-ocr.ts'
import type { DocumentSource } from '../../src/schema/page.ts'
import { pageRenderStage } from '../../src/stages/page-render/stage.ts'
import type { GatedPage, RenderedPage } from '../../src/stages/stage-values.ts'
import { textFinderStage } from '../../src/stages/text-finder/stage.ts'

export const corpus = fileURLToPath(new URL('../../../shared/corpus/', import.meta.url))

/** Documents of the corpus through the first two stages, with the real engines. */
export class GatedCorpus implements AsyncDisposable {
  readonly ocr: PpOcr
  readonly documents: Documents
  readonly #config: Config
  readonly #reader: AsyncDisposable

  constructor(config: Config) {
    const reader = documentReader(config)
    this.#config = config
    this.#reader = reader
    this.documents = documentPool(reader, config, () => undefined)
    this.ocr = ppOcr(config)
  }

  source(file: string): DocumentSource {
    return { name: basename(file), path: join(corpus, file), mediaType: extname(file) === '.pdf' ? 'application/pdf' : 'image/any', bytes: 1, sha256: file }
  }

  /** The first pages of a document, in their order. */
  async gate(file: string, maxPages = 20): Promise<GatedPage[]> {
    const source = this.source(file)
    const { signal } = new AbortController()
    const { documents } = this
    const pageCount = await documents.use(source, async (document) => document.info.pageCount)
    const pages = Array.from({ length: Math.min(pageCount, maxPages) }, (_, pageIndex) => ({
      page: { documentId: file, revision: 'r', pageIndex, pageCount, ocr: 'auto' as const, source },
    }))
    const rendered: RenderedPage[] = []
    for await (const outcome of pageRenderStage({ documents }).process({ id: 0, pages }, signal)) {
      if (outcome.kind === 'done') rendered.push(outcome.value)
    }
    const gated: GatedPage[] = []
    const stage = textFinderStage({ documents, finder: this.ocr.finder, reader: this.ocr.reader, config: this.#config })
    for await (const outcome of stage.process({ id: 0, pages: rendered }, signal)) {
      if (outcome.kind === 'failed') throw new Error(`${file}: ${outcome.failure.message}`)
      gated.push(outcome.value)
    }
    return gated.sort((a, b) => a.page.pageIndex - b.page.pageIndex)
  }

  /** The text of a gated page's regions, top to bottom. */
  async read({ page, frame, verdict }: GatedPage): Promise<string[]> {
    const picture = await this.documents.use(page.source, (document) => document.picture(page.pageIndex, { dpi: 'native', angle: frame.angle, channels: 3 }))
    const lines = await this.ocr.reader.read(picture, verdict.regions)
    return lines.map((line) => line.text).filter((text) => text !== '')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.ocr[Symbol.asyncDispose]()
    await this.documents[Symbol.asyncDispose]()
    await this.#reader[Symbol.asyncDispose]()
  }
}
