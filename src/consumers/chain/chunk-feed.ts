import { createHash } from 'node:crypto'
import type { Chunk } from '../../schema/chunk.ts'
import type { Artifacts } from '../../store/artifacts.ts'
import type { Bus } from '../bus.ts'
import type { Cause } from '../stage-binding.ts'
import { chunkStateKey } from './keys.ts'

/** Id of every chunk that readers have of a document, and the digest of what they were told. */
interface ChunkState {
  readonly revision: string
  readonly chunks: Readonly<Record<string, string>>
}

export interface ChunkFeedParts {
  readonly documentId: string
  readonly revision: string
  readonly artifacts: Artifacts
  readonly bus: Bus
  /** What readers were told before is in the store. */
  readonly shared: boolean
  readonly cause: Cause
}

/**
 * Tells readers of `chunks` what has changed in a document: chunks that are new or say something else are sent, those that are
 * gone get a tombstone, the others are not sent again, so that reading a document anew costs an index only what changed.
 * A chunk that is not sent again keeps the revision that it was sent with.
 */
export class ChunkFeed {
  readonly #parts: ChunkFeedParts
  readonly #before: Readonly<Record<string, string>>
  readonly #now: Record<string, string> = {}

  private constructor(parts: ChunkFeedParts, before: Readonly<Record<string, string>>) {
    this.#parts = parts
    this.#before = before
  }

  static async open(parts: ChunkFeedParts): Promise<ChunkFeed> {
    const { documentId, artifacts, shared } = parts
    const ref = shared ? await artifacts.find(chunkStateKey(documentId), 'lasting') : undefined
    const state = ref && (await artifacts.get<ChunkState>(ref))
    return new ChunkFeed(parts, state?.chunks ?? {})
  }

  async send(chunk: Chunk): Promise<void> {
    const digest = digestOf(chunk)
    this.#now[chunk.id] = digest
    if (this.#before[chunk.id] === digest) return
    const { bus, cause } = this.#parts
    await bus.publish([{ topic: 'chunks', key: chunk.id, payload: chunk, ...cause }])
  }

  /** Takes back what is gone, then notes what readers have: a crash before that sends again, never too little. */
  async close(): Promise<void> {
    const { documentId, revision, artifacts, bus, shared, cause } = this.#parts
    const gone = Object.keys(this.#before).filter((id) => this.#now[id] === undefined)
    if (gone.length > 0) await bus.publish(gone.map((id) => ({ topic: 'chunks', key: id, payload: null, ...cause })))
    if (!shared) return
    const state: ChunkState = { revision, chunks: this.#now }
    await artifacts.put(chunkStateKey(documentId), state, 'latest')
  }
}

/** Of all that a reader sees of it but where it stands in the row and in which revision. */
function digestOf({ revision: _, index: __, ...content }: Chunk): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)
}
