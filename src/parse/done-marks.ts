import type { OutputFormat } from '../config/config.ts'
import type { DoneMark } from '../schema/done-mark.ts'
import type { BlobStore } from '../store/blob-store.ts'

/** Remembers in the output folder which documents are done, so that the next run passes them over. */
export class DoneMarks {
  readonly #store: BlobStore

  constructor(store: BlobStore) {
    this.#store = store
  }

  /** The mark of a document that is done in the same revision and has all formats asked for. */
  async find(folder: string, documentId: string, revision: string, formats: readonly OutputFormat[]): Promise<DoneMark | undefined> {
    const bytes = await this.#store.get(keyOf(folder)).catch(() => undefined)
    if (!bytes) return undefined
    const { doneMarkSchema } = await import('../schema/done-mark.ts')
    const mark = doneMarkSchema.safeParse(safeJson(bytes)).data
    if (mark?.assembled.documentId !== documentId || mark.assembled.revision !== revision) return undefined
    return formats.every((format) => mark.formats.includes(format)) ? mark : undefined
  }

  async set(mark: DoneMark): Promise<void> {
    await this.#store.put(keyOf(mark.folder), Buffer.from(JSON.stringify(mark)))
  }
}

const keyOf = (folder: string): string => `done/${folder}.json`

function safeJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined // damaged: the document is read again
  }
}
