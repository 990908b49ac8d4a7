import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import {
  type BackfillCheckpoint,
  type BackfillSpec,
  type BackfillWish,
  backfillCheckpointSchema,
  backfillOwnerSchema,
  backfillSpecSchema,
  backfillWishSchema,
  type Problem,
  problemSchema,
} from '../schema/backfill.ts'
import { PagestreamError } from '../schema/failure.ts'
import type { BlobStore } from '../store/blob-store.ts'

/** An owner that has not spoken for so many polls is gone. */
const pollsUntilGone = 10

/** What the store knows of one backfill: its task, where it is, what is wanted of it, who works on it. The same from every machine. */
export class BackfillRecord {
  readonly #store: BlobStore
  readonly #run: string
  readonly #owner = randomUUID()

  constructor(store: BlobStore, run: string) {
    this.#store = store
    this.#run = run
  }

  /** Writes the task down; the first one of a run id stays. */
  async create(spec: BackfillSpec): Promise<BackfillSpec> {
    await this.#store.putIfAbsent(this.#key('spec'), encode(backfillSpecSchema.parse(spec)))
    return this.spec()
  }

  /** Rejects with `backfill-unknown`. */
  async spec(): Promise<BackfillSpec> {
    const spec = /^[a-z0-9-]{1,64}$/.test(this.#run) ? await this.#read('spec', backfillSpecSchema) : undefined
    if (!spec) throw new PagestreamError('backfill-unknown', `looking for the backfill ${JSON.stringify(this.#run.slice(0, 64))}: the store holds none`)
    return spec
  }

  async checkpoint(): Promise<BackfillCheckpoint> {
    return (await this.#read('checkpoint', backfillCheckpointSchema)) ?? emptyCheckpoint()
  }

  async save(checkpoint: BackfillCheckpoint): Promise<void> {
    await this.#store.put(this.#key('checkpoint'), encode({ ...checkpoint, updatedMs: Date.now() }))
  }

  /** Written before the checkpoint with that number; what a killed process has left under it is replaced. */
  async saveProblems(saves: number, problems: readonly Problem[]): Promise<void> {
    await this.#store.put(this.#problemsKey(saves), Buffer.from(problems.map((each) => `${JSON.stringify(each)}\n`).join('')))
  }

  /** Entries that were refused, and documents that did not end well, in the order in which they were noted. */
  async *problems(): AsyncIterable<Problem> {
    const { saves } = await this.checkpoint()
    for await (const key of this.#store.list(`backfills/${this.#run}/problems/`)) {
      if (key > this.#problemsKey(saves)) return // of a process that was killed before it wrote the checkpoint
      for (const line of Buffer.from(await this.#store.get(key))
        .toString('utf8')
        .split('\n'))
        if (line !== '') yield problemSchema.parse(JSON.parse(line))
    }
  }

  async wish(): Promise<BackfillWish> {
    return (await this.#read('wish', backfillWishSchema))?.wish ?? 'run'
  }

  async ask(wish: BackfillWish): Promise<void> {
    await this.#store.put(this.#key('wish'), encode({ wish }))
  }

  /** Whether a process that spoke not long ago works on it; it may have been killed since. */
  async isOwned(pollMs: number): Promise<boolean> {
    return this.#isOfAnother(await this.#read('owner', backfillOwnerSchema), pollMs)
  }

  /** Whether a process that is alive works on it: one that has spoken is waited for until it speaks again or is taken to be gone. */
  async isHeard(pollMs: number): Promise<boolean> {
    const before = await this.#read('owner', backfillOwnerSchema)
    for (;;) {
      const now = await this.#read('owner', backfillOwnerSchema)
      if (!this.#isOfAnother(now, pollMs)) return false
      if (now?.owner !== before?.owner || now?.atMs !== before?.atMs) return true
      await sleep(pollMs / 4)
    }
  }

  #isOfAnother(owner: z.infer<typeof backfillOwnerSchema> | undefined, pollMs: number): boolean {
    return owner !== undefined && owner.owner !== this.#owner && Date.now() - owner.atMs < pollsUntilGone * pollMs
  }

  /** Becomes the one who works on it. Rejects with `backfill-busy`; of two who try at once, the one who wrote last stays. */
  async acquire(pollMs: number): Promise<void> {
    if (await this.isHeard(pollMs)) throw this.#busy()
    await this.#speak()
    await sleep(Math.min(pollMs, 1000))
    await this.renew()
  }

  /** Says that it is alive. Rejects with `backfill-busy` when another one has taken over. */
  async renew(): Promise<void> {
    if ((await this.#read('owner', backfillOwnerSchema))?.owner !== this.#owner) throw this.#busy()
    await this.#speak()
  }

  async release(): Promise<void> {
    if ((await this.#read('owner', backfillOwnerSchema))?.owner === this.#owner) await this.#store.delete(this.#key('owner'))
  }

  #speak(): Promise<void> {
    return this.#store.put(this.#key('owner'), encode({ owner: this.#owner, atMs: Date.now() }))
  }

  #busy(): PagestreamError {
    return new PagestreamError('backfill-busy', `working on the backfill ${this.#run}: another process does`)
  }

  #problemsKey(saves: number): string {
    return `backfills/${this.#run}/problems/${String(saves).padStart(12, '0')}.jsonl`
  }

  #key(name: string): string {
    return `backfills/${this.#run}/${name}.json`
  }

  async #read<T>(name: string, schema: z.ZodType<T>): Promise<T | undefined> {
    const key = this.#key(name)
    if (!(await this.#store.has(key))) return undefined
    const bytes = await this.#store.get(key).catch((error: unknown) => {
      if (error instanceof PagestreamError && error.code === 'artifact-missing') return undefined
      throw error
    })
    if (!bytes) return undefined
    let value: unknown
    try {
      value = JSON.parse(Buffer.from(bytes).toString('utf8'))
    } catch {
      value = undefined
    }
    const parsed = schema.safeParse(value)
    if (!parsed.success) throw new PagestreamError('store-failed', `reading ${key} from the store: it is damaged`, { cause: parsed.error })
    return parsed.data
  }
}

const encode = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

const emptyCheckpoint = (): BackfillCheckpoint => ({
  ...{ state: 'stopped', position: '', enumerated: false, entries: 0, sent: 0, passedOver: 0, leftOut: 0, refused: {}, failures: {} },
  ...{ pages: 0, failedPages: 0, ended: { complete: 0, partial: 0, failed: 0 }, gated: { pages: 0, withoutModel: 0 }, lost: 0, open: [], early: [] },
  ...{ offsets: {}, gateOffsets: {}, saves: 0, workedMs: 0, updatedMs: 0 },
})
