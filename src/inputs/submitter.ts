import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Bus } from '../consumers/bus.ts'
import { doneKey } from '../consumers/chain/keys.ts'
import type { DocumentAssembled } from '../schema/events.ts'
import type { DocumentSource } from '../schema/page.ts'
import type { BlobStore } from '../store/blob-store.ts'
import { StoreArtifacts } from '../store/store-artifacts.ts'
import { noTracer, type Tracer } from '../telemetry/tracing/tracer.ts'
import { identify, revisionOf } from './identify.ts'
import { storeScheme } from './input-cache.ts'
import { allowedReference, referenceName, refuseSecrets } from './reference.ts'
import { RemoteFiles } from './remote-files.ts'
import { sendDocument } from './send-document.ts'

export interface Submitted {
  readonly documentId: string
  readonly revision: string
  readonly source: DocumentSource
}

/** Puts files into the store, by content, and tells the workers of them. */
export class Submitter {
  readonly #config: Config
  readonly #store: BlobStore
  readonly #bus: Bus
  readonly #tracer: Tracer

  constructor(config: Config, store: BlobStore, bus: Bus, tracer: Tracer = noTracer) {
    this.#config = config
    this.#store = store
    this.#bus = bus
    this.#tracer = tracer
  }

  /** Rejects with `document-*`, `input-changed` for a file that somebody writes to meanwhile, `store-failed`, `kafka-*`. */
  async identify(path: string, name: string): Promise<Submitted> {
    const found = await identify(path, name, this.#config.limits.maxDocumentBytes)
    const key = `inputs/${found.sha256}`
    await this.#store.putFile(key, path, found.sha256)
    const source = { ...found, path: `${storeScheme}${key}` }
    return { documentId: found.sha256, revision: revisionOf(found.sha256, this.#config, undefined), source }
  }

  /**
   * What an `s3://` or `https://` reference names, fetched once: into the store, or, by reference, only to learn its size and SHA-256, by which
   * workers know it again. Rejects as `identify` does and with `input-forbidden`, `input-unreachable`.
   */
  async identifyRemote(text: string, byReference: boolean): Promise<Submitted> {
    const reference = allowedReference(text, this.#config.inputs)
    if (byReference) refuseSecrets(reference)
    const folder = await mkdtemp(join(tmpdir(), 'pagestream-fetched-'))
    try {
      const path = join(folder, randomUUID())
      await new RemoteFiles(this.#config).fetchTo(text, path)
      if (!byReference) return await this.identify(path, referenceName(reference))
      const found = await identify(path, referenceName(reference), this.#config.limits.maxDocumentBytes)
      return { documentId: found.sha256, revision: revisionOf(found.sha256, this.#config, undefined), source: { ...found, path: text } }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** How this revision of the document ended, where it is complete: nobody need read it again. */
  async ended({ documentId, revision }: Submitted): Promise<DocumentAssembled | undefined> {
    const artifacts = new StoreArtifacts(this.#store)
    const ref = await artifacts.find(doneKey(documentId, revision), 'lasting')
    return ref && artifacts.get<DocumentAssembled>(ref)
  }

  async send({ documentId, revision, source }: Submitted): Promise<void> {
    await sendDocument({ bus: this.#bus, tracer: this.#tracer }, { documentId, revision, source, ocr: this.#config.ocr })
  }
}
