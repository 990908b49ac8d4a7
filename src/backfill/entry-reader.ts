import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Config } from '../config/config.ts'
import { identify, revisionOf } from '../inputs/identify.ts'
import { isDocument } from '../inputs/input-files.ts'
import { RemoteFiles } from '../inputs/remote-files.ts'
import type { Submitter } from '../inputs/submitter.ts'
import type { BackfillSpec } from '../schema/backfill.ts'
import type { DocumentSubmitted } from '../schema/events.ts'
import { type Failure, PagestreamError, toFailure } from '../schema/failure.ts'
import type { DocumentSource } from '../schema/page.ts'
import type { Artifacts } from '../store/artifacts.ts'
import type { ArchivedFile, ArchivedObject, ArchiveEntry } from './archive-source.ts'
import { type Wish, wantedRevision } from './reprocess.ts'

/** What becomes of an entry: a document to send, nothing, or why it cannot be sent. */
export type ReadEntry =
  | { readonly send: DocumentSubmitted }
  | { readonly passedOver: DocumentSubmitted }
  | { readonly refused: Failure; readonly name?: string }
  | { readonly leftOut: true }

export interface EntryReaderParts {
  readonly config: Config
  readonly spec: BackfillSpec
  readonly submitter: Submitter
  readonly artifacts: Artifacts
  /** Runs that have read everything anew. */
  readonly anewRuns: readonly string[]
}

/** Turns entries of an archive into documents to be read with today's configuration. */
export class EntryReader {
  readonly #parts: EntryReaderParts
  readonly #wish: Wish
  readonly #remote: RemoteFiles

  constructor(parts: EntryReaderParts) {
    this.#parts = parts
    this.#wish = { run: parts.spec.run, mode: parts.spec.reprocess, anewRuns: parts.anewRuns }
    this.#remote = new RemoteFiles(parts.config)
  }

  /** Rejects only when the store or the brokers fail: that is not the entry's fault. */
  async read({ what }: ArchiveEntry): Promise<ReadEntry> {
    const { config, artifacts } = this.#parts
    try {
      if ('code' in what) return { refused: what }
      if (what.kind === 'left-out') return { leftOut: true }
      const document = what.kind === 'document' ? this.#again(what.document) : await this.#identified(what)
      if (!document) return { leftOut: true }
      const revision = await wantedRevision(document, this.#wish, config, artifacts)
      return revision === undefined ? { passedOver: document } : { send: { ...document, revision } }
    } catch (error) {
      if (error instanceof PagestreamError && error.class === 'input') return { refused: toFailure(error), ...('name' in what && { name: what.name }) }
      throw error
    }
  }

  async #identified(what: ArchivedFile | ArchivedObject): Promise<DocumentSubmitted | undefined> {
    const { config } = this.#parts
    const source = what.kind === 'file' ? await this.#source(what.path, what.name) : await this.#fetched(what)
    const documentId = what.kind === 'file' ? what.documentId : undefined
    return source && { documentId: documentId ?? source.sha256, revision: revisionOf(source.sha256, config, undefined), source, ocr: config.ocr }
  }

  async #source(path: string, name: string): Promise<DocumentSource> {
    const { spec, submitter, config } = this.#parts
    return spec.inPlace ? identify(path, name, config.limits.maxDocumentBytes) : (await submitter.identify(path, name)).source
  }

  /** Fetched once to know it; undefined for what is no document. */
  async #fetched({ reference, name }: ArchivedObject): Promise<DocumentSource | undefined> {
    const folder = await mkdtemp(join(tmpdir(), 'pagestream-archived-'))
    try {
      const path = join(folder, `object${extname(name)}`)
      await this.#remote.fetchTo(reference, path)
      if (!(await isDocument(path))) return undefined
      const source = await this.#source(path, name)
      return this.#parts.spec.inPlace ? { ...source, path: reference } : source
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  #again(document: DocumentSubmitted): DocumentSubmitted {
    const { config } = this.#parts
    return { ...document, ocr: config.ocr, revision: revisionOf(document.source.sha256, config, document.pages) }
  }
}
