import type { Config } from '../config/config.ts'
import type { Bus } from '../consumers/bus.ts'
import { stageLag } from '../consumers/kafka/group-lag.ts'
import { Submitter } from '../inputs/submitter.ts'
import type { BackfillCheckpoint, BackfillSpec, BackfillWish } from '../schema/backfill.ts'
import type { DocumentSubmitted } from '../schema/events.ts'
import type { BlobStore } from '../store/blob-store.ts'
import { StoreArtifacts } from '../store/store-artifacts.ts'
import type { ArchiveEntry } from './archive-source.ts'
import type { BackfillRecord } from './backfill-record.ts'
import { EntryReader, type ReadEntry } from './entry-reader.ts'
import { openArchive } from './open-archive.ts'
import { addTo, inFlight, RunFeedback } from './run-feedback.ts'

/** Entries that are looked at side by side and sent together. */
const entriesAtOnce = 32
const lookMs = 20

export interface BackfillParts {
  readonly config: Config
  readonly store: BlobStore
  /** Of the bulk lane. */
  readonly bus: Bus
  readonly record: BackfillRecord
  readonly spec: BackfillSpec
  readonly checkpoint: BackfillCheckpoint
  readonly signal: AbortSignal
}

/**
 * Sends the entries of an archive to the bulk lane, as many as the workers keep up with. What it remembers is one checkpoint,
 * written before more than `backfill.checkpointEntries` entries were dealt with since the last.
 */
export class Backfill {
  readonly checkpoint: BackfillCheckpoint
  readonly #parts: BackfillParts
  readonly #feedback: RunFeedback
  readonly #entries: EntryReader
  readonly #startedMs = Date.now()
  readonly #workedBefore: number
  #wish: BackfillWish = 'run'
  #waiting = 0
  /** Entries that the checkpoint in the store knows of. */
  #savedEntries: number
  #saving: Promise<void> = Promise.resolve()
  #failure: unknown
  #mayNextSendMs = 0

  constructor(parts: BackfillParts) {
    const { config, spec, store, bus, checkpoint } = parts
    this.#parts = parts
    this.checkpoint = checkpoint
    this.#workedBefore = checkpoint.workedMs
    this.#savedEntries = checkpoint.entries
    this.#feedback = new RunFeedback(config.kafka, spec, checkpoint)
    this.#entries = new EntryReader(config, spec, new Submitter(config, store, bus), new StoreArtifacts(store))
  }

  /** Resolves when all has ended, when it was cancelled, or after the signal. Rejects with `backfill-busy`, `document-not-found`, `store-failed`, `kafka-*`. */
  async run(): Promise<BackfillCheckpoint> {
    const { record } = this.#parts
    const ending = new AbortController()
    const helpers = [this.#feedback.listen(), this.#poll(ending.signal), this.#countAll(ending.signal)]
    for (const helper of helpers) {
      helper.catch((error) => {
        this.#failure ??= error
      })
    }
    try {
      this.checkpoint.state = 'running'
      await this.#save()
      if (!this.checkpoint.enumerated) await this.#sendAll()
      while (this.#goesOn() && (inFlight(this.checkpoint) > 0 || this.#wish === 'pause')) await this.#look()
      if (this.#failure !== undefined) throw this.#failure
      this.checkpoint.state = this.#wish === 'cancel' ? 'cancelled' : this.#parts.signal.aborted ? 'stopped' : 'done'
      return this.checkpoint
    } catch (error) {
      this.checkpoint.state = 'stopped'
      throw error
    } finally {
      ending.abort()
      this.#feedback.stop()
      await Promise.allSettled(helpers)
      await this.#save()
      await record.release()
    }
  }

  async #sendAll(): Promise<void> {
    const { config, spec } = this.#parts
    const size = Math.min(entriesAtOnce, config.backfill.checkpointEntries, Math.max(1, Math.floor(this.#target())))
    const archive = openArchive(spec.archive, config.kafka)
    let batch: ArchiveEntry[] = []
    for await (const entry of archive.entries(this.checkpoint.position)) {
      batch.push(entry)
      if (batch.length < size) continue
      if (!(await this.#deal(batch))) return
      batch = []
    }
    if (batch.length > 0 && !(await this.#deal(batch))) return
    this.checkpoint.enumerated = true
    await this.#save()
  }

  /** For the estimate of the end: goes through the archive ahead of the sending. */
  async #countAll(ending: AbortSignal): Promise<void> {
    const { spec, config } = this.#parts
    if (this.checkpoint.total !== undefined || spec.archive.kind === 'topic') return
    let total = 0
    for await (const _ of openArchive(spec.archive, config.kafka).entries('')) {
      if (ending.aborted) return
      if (++total % 1000 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    this.checkpoint.total = total
  }

  /** Sends what is to be sent of these entries, in room that the workers leave; false when the run ends before. */
  async #deal(batch: readonly ArchiveEntry[]): Promise<boolean> {
    if (!(await this.#room(batch.length))) return false
    const read = await Promise.all(batch.map((entry) => this.#entries.read(entry)))
    const documents = read.flatMap((each) => ('send' in each ? [each.send] : []))
    if (!(await this.#turn(documents.length))) return false
    if (this.checkpoint.entries - this.#savedEntries + batch.length > this.#parts.config.backfill.checkpointEntries) await this.#save()
    await this.#send(documents)
    this.#count(read, batch)
    return true
  }

  async #send(documents: readonly DocumentSubmitted[]): Promise<void> {
    const { bus, spec } = this.#parts
    await bus.publish(documents.map((payload) => ({ topic: 'documents', key: payload.documentId, payload, run: spec.run })))
    this.#feedback.lastHeardMs = Date.now()
  }

  /** Position and counts change together, so that no checkpoint has one without the other. */
  #count(read: readonly ReadEntry[], batch: readonly ArchiveEntry[]): void {
    const { checkpoint } = this
    for (const each of read) {
      if ('send' in each) checkpoint.sent++
      else if ('refused' in each) addTo(checkpoint.refused, each.refused)
      else checkpoint.passedOver++
    }
    checkpoint.entries += batch.length
    checkpoint.position = batch.at(-1)?.position ?? checkpoint.position
  }

  /** Waits until so many more documents keep to the target; alone in flight, a batch may always go. */
  async #room(count: number): Promise<boolean> {
    while (this.#goesOn()) {
      const target = this.#target()
      const flying = inFlight(this.checkpoint)
      if (this.#wish !== 'pause' && (flying === 0 || flying + count <= target) && this.#waiting < Math.max(1, target)) return true
      await this.#look()
    }
    return false
  }

  /** Keeps the rate that was asked for. */
  async #turn(count: number): Promise<boolean> {
    const { documentsPerSecond } = this.#parts.spec
    if (documentsPerSecond === undefined || count === 0) return this.#goesOn()
    while (this.#goesOn() && Date.now() < this.#mayNextSendMs) await this.#look()
    this.#mayNextSendMs = Math.max(Date.now(), this.#mayNextSendMs) + (1000 * count) / documentsPerSecond
    return this.#goesOn()
  }

  /** Documents that may be in flight: by pages once it is known how many one has. */
  #target(): number {
    const { targetPages, targetDocuments } = this.#parts.config.backfill
    const { ended, pages } = this.checkpoint
    const documents = ended.complete + ended.partial + ended.failed
    return this.#parts.spec.share * (documents > 0 ? targetPages / Math.max(1, pages / documents) : targetDocuments)
  }

  async #look(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, lookMs))
    const { quietMs } = this.#parts.config.backfill
    if (this.#wish === 'pause') this.#feedback.lastHeardMs = Date.now()
    // Two entries with the same content may end in one event: they are not waited for until the end of days.
    if (this.#waiting === 0 && Date.now() - this.#feedback.lastHeardMs > quietMs) {
      this.checkpoint.lost += inFlight(this.checkpoint)
      this.#feedback.lastHeardMs = Date.now()
    }
  }

  #goesOn(): boolean {
    if (this.#failure !== undefined) throw this.#failure
    return !this.#parts.signal.aborted && this.#wish !== 'cancel'
  }

  /** Says that it is alive, hears what is wanted, looks at the lag and notes where it is. */
  async #poll(ending: AbortSignal): Promise<void> {
    const { record, config } = this.#parts
    while (!ending.aborted) {
      await record.renew()
      this.#wish = await record.wish()
      this.#waiting = await stageLag(config.kafka, 'page-render', 'bulk')
      if (this.checkpoint.state === 'running' || this.checkpoint.state === 'paused') this.checkpoint.state = this.#wish === 'pause' ? 'paused' : 'running'
      await this.#save()
      await pause(config.backfill.pollMs, ending)
    }
  }

  /** One after the other: an older checkpoint never lands on a newer one. */
  #save(): Promise<void> {
    const { record } = this.#parts
    this.#saving = this.#saving.then(async () => {
      this.checkpoint.workedMs = this.#workedBefore + Date.now() - this.#startedMs
      const { entries } = this.checkpoint
      await record.save(this.checkpoint)
      this.#savedEntries = entries
    })
    return this.#saving
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}
