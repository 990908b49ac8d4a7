import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chunk } from '../../schema/chunk.ts'
import { PagestreamError } from '../../schema/failure.ts'
import type { SharedArtifacts } from '../../store/artifacts.ts'
import type { Bus, OutRecord } from '../bus.ts'
import type { Cause } from '../stage-binding.ts'
import { chunkStateKey } from './keys.ts'

/** Id of every chunk that readers may have of a document, and the digest of what they were told; empty where that is not sure. */
interface ChunkState {
  readonly revision: string
  readonly chunks: Readonly<Record<string, string>>
}

export interface ChunkFeedParts {
  readonly documentId: string
  readonly revision: string
  readonly artifacts: SharedArtifacts
  readonly bus: Bus
  readonly cause: Cause
}

const unsure = ''
/** Chunks that are sent together. */
const sentAtOnce = 200
/** Others may assemble revisions of the same document, so often one after the other. */
const mostTries = 20
const longestPauseMs = 1000

/**
 * Tells readers of `chunks` what has changed in a document: chunks that are new or say something else are sent, those that are
 * gone get a tombstone, the others are not sent again, so that reading a document anew costs an index only what changed.
 * A chunk that is not sent again keeps the revision that it was sent with.
 *
 * Revisions of one document may be assembled at the same time, in two lanes or two windows. Whoever ends last wins: before anything
 * is sent, the state says of all chunks that readers may have from now on that they may; after it, that they have these. Who finds that
 * another one has written the state in between takes what that one says and tells readers the difference once more.
 */
export class ChunkFeed {
  readonly #parts: ChunkFeedParts
  readonly #chunks: Chunk[] = []
  readonly #now: Record<string, string> = {}

  constructor(parts: ChunkFeedParts) {
    this.#parts = parts
  }

  /** Kept until the document is whole. */
  add(chunk: Chunk): void {
    this.#chunks.push(chunk)
    this.#now[chunk.id] = digestOf(chunk)
  }

  /**
   * Tells readers. A crash on the way sends again, never too little, and leaves no chunk that the state does not name; where another
   * revision was told while this one still sent, that takes the record that asked for it, which is delivered again.
   */
  async close(): Promise<void> {
    for (let tries = 1; !(await this.#tell()); tries++) {
      if (tries >= mostTries) throw new PagestreamError('store-failed', 'sending chunks: other revisions of the document are sent all the time')
      await sleep(Math.min(longestPauseMs, 10 * 2 ** tries) * Math.random())
    }
  }

  /** False when another revision came in between. */
  async #tell(): Promise<boolean> {
    const { documentId, revision, artifacts, bus, cause } = this.#parts
    const state = artifacts.versions<ChunkState>(chunkStateKey(documentId))
    const { version, value } = await state.read()
    const before = value?.chunks ?? {}
    const changed = this.#chunks.filter(({ id }) => before[id] !== this.#now[id])
    const gone = Object.keys(before).filter((id) => this.#now[id] === undefined)
    if (changed.length === 0 && gone.length === 0) return true
    const open = Object.fromEntries([...changed.map(({ id }) => id), ...gone].map((id) => [id, unsure]))
    if (!(await state.replace(version, { revision, chunks: { ...before, ...open } }))) return false
    const records = [
      ...changed.map((payload): OutRecord => ({ topic: 'chunks', key: payload.id, payload, ...cause })),
      ...gone.map((key): OutRecord => ({ topic: 'chunks', key, payload: null, ...cause })),
    ]
    for (let at = 0; at < records.length; at += sentAtOnce) await bus.publish(records.slice(at, at + sentAtOnce))
    return (await state.replace(version + 1, { revision, chunks: this.#now })) && (await state.settle(version + 2))
  }
}

/** Of all that a reader sees of it but where it stands in the row and in which revision. */
function digestOf({ revision: _, index: __, ...content }: Chunk): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)
}
