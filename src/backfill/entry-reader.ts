import type { Config } from '../config/config.ts'
import { identify, revisionOf } from '../inputs/identify.ts'
import type { Submitter } from '../inputs/submitter.ts'
import type { BackfillSpec } from '../schema/backfill.ts'
import type { DocumentSubmitted } from '../schema/events.ts'
import { type Failure, PagestreamError, toFailure } from '../schema/failure.ts'
import type { Artifacts } from '../store/artifacts.ts'
import type { ArchiveEntry } from './archive-source.ts'
import { forgetResults, isWanted } from './reprocess.ts'

/** What becomes of an entry: a document to send, nothing, or why it cannot be sent. */
export type ReadEntry = { readonly send: DocumentSubmitted } | { readonly passedOver: true } | { readonly refused: Failure }

/** Turns entries of an archive into documents to be read with today's configuration. */
export class EntryReader {
  readonly #config: Config
  readonly #spec: BackfillSpec
  readonly #submitter: Submitter
  readonly #artifacts: Artifacts

  constructor(config: Config, spec: BackfillSpec, submitter: Submitter, artifacts: Artifacts) {
    this.#config = config
    this.#spec = spec
    this.#submitter = submitter
    this.#artifacts = artifacts
  }

  /** Rejects only when the store or the brokers fail: that is not the entry's fault. */
  async read({ what }: ArchiveEntry): Promise<ReadEntry> {
    try {
      if ('code' in what) return { refused: what }
      const document = what.kind === 'document' ? this.#again(what.document) : await this.#identified(what)
      if (!(await isWanted(document, this.#spec.reprocess, this.#config, this.#artifacts))) return { passedOver: true }
      if (this.#spec.reprocess === 'all') await forgetResults(document, this.#artifacts)
      return { send: document }
    } catch (error) {
      if (error instanceof PagestreamError && error.class === 'input') return { refused: toFailure(error) }
      throw error
    }
  }

  async #identified({ path, name, documentId }: { path: string; name: string; documentId?: string }): Promise<DocumentSubmitted> {
    const { limits, ocr } = this.#config
    const source = this.#spec.inPlace ? await identify(path, name, limits.maxDocumentBytes) : (await this.#submitter.identify(path, name)).source
    return { documentId: documentId ?? source.sha256, revision: revisionOf(source.sha256, this.#config, undefined), source, ocr }
  }

  #again(document: DocumentSubmitted): DocumentSubmitted {
    const { ocr } = this.#config
    return { ...document, ocr, revision: revisionOf(document.source.sha256, this.#config, document.pages) }
  }
}
