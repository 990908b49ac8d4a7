import { createHash } from 'node:crypto'
import type { Chunk } from '../../schema/chunk.ts'
import type { Artifacts } from '../../store/artifacts.ts'
import type { Bus } from '../bus.ts'
import { chunkStateKey } from './keys.ts'

/** Id of every chunk that readers have of a document, and the digest of what they were told. */
interface ChunkState {
  readonly revision: string
  readonly chunks: Readonly<Record<string, string>>
}

/**
 * Tells readers of `chunks` what has changed in a document: chunks that are new or say something else are sent, those that are
 * gone get a tombstone, the others are not sent again, so that reading a document anew costs an index only what changed.
 * A chunk that is not sent again keeps the revision that it was sent with.
 */
export class ChunkFeed {
  readonly #documentId: string
  readonly #revision: string
  readonly #artifacts: Artifacts
  readonly #bus: Bus
  readonly #shared: boolean
  readonly #before: Readonly<Record<string, string>>
  readonly #now: Record<string, string> = {}

  private constructor(documentId: string, revision: string, artifacts: Artifacts, bus: Bus, shared: boolean, before: Readonly<Record<string, string>>) {
    this.#documentId = documentId
    this.#revision = revision
    this.#artifacts = artifacts
    this.#bus = bus
    this.#shared = shared
    this.#before = before
  }

  /** `shared`: what readers were told before is in the store. */
  static async open(documentId: string, revision: string, artifacts: Artifacts, bus: Bus, options: { readonly shared: boolean }): Promise<ChunkFeed> {
    const ref = options.shared ? await artifacts.find(chunkStateKey(documentId), 'lasting') : undefined
    const state = ref && (await artifacts.get<ChunkState>(ref))
    return new ChunkFeed(documentId, revision, artifacts, bus, options.shared, state?.chunks ?? {})
  }

  async send(chunk: Chunk): Promise<void> {
    const digest = digestOf(chunk)
    this.#now[chunk.id] = digest
    if (this.#before[chunk.id] === digest) return
    await this.#bus.publish([{ topic: 'chunks', key: chunk.id, payload: chunk }])
  }

  /** Takes back what is gone, then notes what readers have: a crash before that sends again, never too little. */
  async close(): Promise<void> {
    const gone = Object.keys(this.#before).filter((id) => this.#now[id] === undefined)
    if (gone.length > 0) await this.#bus.publish(gone.map((id) => ({ topic: 'chunks', key: id, payload: null })))
    if (!this.#shared) return
    const state: ChunkState = { revision: this.#revision, chunks: this.#now }
    await this.#artifacts.put(chunkStateKey(this.#documentId), state, 'latest')
  }
}

/** Of all that a reader sees of it but where it stands in the row and in which revision. */
function digestOf({ revision: _, index: __, ...content }: Chunk): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)
}
