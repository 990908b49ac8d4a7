import type { Config } from '../config/config.ts'
import type { Bus } from '../consumers/bus.ts'
import { stageLag, stageLags } from '../consumers/kafka/group-lag.ts'
import { sendDocument } from '../inputs/send-document.ts'
import { Submitter } from '../inputs/submitter.ts'
import type { BackfillCheckpoint, BackfillSpec, BackfillWish } from '../schema/backfill.ts'
import type { BlobStore } from '../store/blob-store.ts'
import { StoreArtifacts } from '../store/store-artifacts.ts'
import { noTracer, type Tracer } from '../telemetry/tracing/tracer.ts'
import type { BackfillRecord } from './backfill-record.ts'
import { EntryReader, type ReadEntry } from './entry-reader.ts'
import { openArchive } from './open-archive.ts'
import { patiently } from './patiently.ts'
import { pause } from './pause.ts'
import { readAhead } from './read-ahead.ts'
import { runsAnew } from './reprocess.ts'
import { storedEnd } from './run-end.ts'
import { RunFeedback } from './run-feedback.ts'
import { type Dealt, RunLedger } from './run-ledger.ts'

/** Entries that are hashed and looked up side by side. */
const readAtOnce = 32
/** Entries that were sent and whose acknowledgement is waited for. */
const mostUnsettled = 512
/** They are remembered by name, in memory and in every checkpoint. */
const mostInFlight = 20_000
const lookMs = 20
/** Time that brokers have for their last answers after the signal. */
const lastAnswersMs = 5000

export interface BackfillParts {
  readonly config: Config
  readonly store: BlobStore
  /** Of the bulk lane. */
  readonly bus: Bus
  readonly record: BackfillRecord
  readonly spec: BackfillSpec
  readonly checkpoint: BackfillCheckpoint
  readonly signal: AbortSignal
  /** Hears of what is sent. */
  readonly tracer?: Tracer
}

/**
 * Sends the entries of an archive to the bulk lane, as many as the workers keep up with. Entries are read ahead of the sending, sent
 * without waiting for the ones before, and noted in their order. What it remembers is one checkpoint, written before more than
 * `backfill.checkpointEntries` entries were sent since the last.
 */
export class Backfill {
  readonly #parts: BackfillParts
  readonly #ledger: RunLedger
  readonly #feedback: RunFeedback
  readonly #artifacts: StoreArtifacts
  readonly #startedMs = Date.now()
  readonly #workedBefore: number
  readonly #goesOnFrom: number
  #wish: BackfillWish = 'run'
  #waiting = 0
  /** Entries that were sent, passed over or refused; noted a moment later. */
  #dealt: number
  /** Entries that the checkpoint in the store knows of. */
  #saved: number
  #saving: Promise<void> = Promise.resolve()
  #hasSaved = false
  /** Settles when all that was sent is acknowledged and noted. */
  #settled: Promise<void> = Promise.resolve()
  readonly #tooLate: Promise<void>
  #failure: unknown
  #mayNextSendMs = 0

  constructor(parts: BackfillParts) {
    const { config, spec, store, checkpoint } = parts
    this.#parts = parts
    this.#workedBefore = checkpoint.workedMs
    this.#goesOnFrom = checkpoint.entries
    this.#dealt = checkpoint.entries
    this.#saved = checkpoint.entries
    this.#ledger = new RunLedger(checkpoint, config.backfill.checkpointEntries)
    this.#feedback = new RunFeedback(config.kafka, spec, this.#ledger)
    this.#artifacts = new StoreArtifacts(store)
    this.#tooLate = new Promise((resolve) => {
      parts.signal.addEventListener('abort', () => setTimeout(resolve, lastAnswersMs).unref(), { once: true })
    })
  }

  get checkpoint(): BackfillCheckpoint {
    return this.#ledger.snapshot()
  }

  /**
   * Resolves when all has ended, when it was cancelled, or after the signal. Brokers that go away are waited for. Rejects with
   * `backfill-busy`, `document-not-found`, `store-failed`, `kafka-*`.
   */
  async run(): Promise<BackfillCheckpoint> {
    const { record, signal } = this.#parts
    const { counts } = this.#ledger
    const ending = new AbortController()
    const helpers: Promise<void>[] = []
    const help = (helper: Promise<void>) => {
      helper.catch((error) => {
        this.#failure ??= error
      })
      helpers.push(helper)
    }
    help(this.#poll(ending.signal))
    help(this.#watchLag(ending.signal))
    try {
      counts.state = 'running'
      await this.#save()
      if (this.#goesOnFrom > 0) await this.#feedback.catchUp()
      help(this.#feedback.listen())
      help(this.#countAll(ending.signal))
      if (!counts.enumerated) await this.#sendAll()
      while (this.#goesOn() && (this.#ledger.inFlight > 0 || this.#wish === 'pause')) await this.#look()
      if (this.#failure !== undefined) throw this.#failure
      counts.state = this.#wish === 'cancel' ? 'cancelled' : signal.aborted ? 'stopped' : 'done'
      return this.checkpoint
    } catch (error) {
      counts.state = 'stopped'
      throw error
    } finally {
      ending.abort()
      this.#feedback.stop()
      await Promise.race([Promise.allSettled([...helpers, this.#settled]), this.#tooLate])
      await this.#save()
      await record.release()
    }
  }

  async #sendAll(): Promise<void> {
    const { config, spec, store, bus } = this.#parts
    const { counts } = this.#ledger
    const anewRuns = await runsAnew(store)
    const reader = new EntryReader({ config, spec, anewRuns, artifacts: this.#artifacts, submitter: new Submitter(config, store, bus) })
    const entries = openArchive(spec.archive, config).entries(counts.position)
    for await (const [{ position }, read] of readAhead(entries, readAtOnce, (entry) => reader.read(entry))) {
      if (!(await this.#deal(position, read))) return
    }
    await this.#acknowledged()
    if (!this.#goesOn()) return
    counts.enumerated = true
    await this.#save()
  }

  /** For the estimate of the end: goes through the archive ahead of the sending. */
  async #countAll(ending: AbortSignal): Promise<void> {
    const { spec, config } = this.#parts
    const { counts } = this.#ledger
    if (counts.total !== undefined || spec.archive.kind === 'topic') return
    let total = 0
    for await (const _ of openArchive(spec.archive, config).entries('')) {
      if (ending.aborted) return
      if (++total % 1000 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    counts.total = total
  }

  /** Sends what is to be sent of an entry, in room that the workers leave, and has it noted in its turn; false when the run ends before. */
  async #deal(position: string, read: ReadEntry): Promise<boolean> {
    if (!(await this.#mayGoOn('send' in read))) return false
    const { dealt, acknowledged } = this.#send(read)
    this.#dealt++
    const earlier = this.#settled
    this.#settled = (async () => {
      await acknowledged
      await earlier
      this.#ledger.note(position, dealt)
    })()
    this.#settled.catch((error) => {
      this.#failure ??= error
    })
    return true
  }

  #send(read: ReadEntry): { dealt: Dealt; acknowledged: Promise<void> } {
    const nothing = Promise.resolve()
    if ('refused' in read || 'leftOut' in read) return { dealt: read, acknowledged: nothing }
    const payload = 'send' in read ? read.send : read.passedOver
    const key = `${payload.documentId}/${payload.revision}`
    if ('passedOver' in read) return { dealt: { passedOver: key }, acknowledged: nothing }
    if (this.#ledger.isUnderWay(key)) return { dealt: { passedOver: undefined }, acknowledged: nothing }
    if (this.#ledger.hasEndedEarly(key)) return { dealt: { sent: key }, acknowledged: nothing }
    this.#ledger.sending(key)
    this.#feedback.lastHeardMs = Date.now()
    const { bus, spec, tracer = noTracer } = this.#parts
    return { dealt: { sent: key }, acknowledged: sendDocument({ bus, tracer }, payload, spec.run) }
  }

  /** All that was sent has its answer. After the signal, brokers that are away are not waited for long: a run that goes on sends it again. */
  async #acknowledged(): Promise<void> {
    await Promise.race([this.#settled, this.#tooLate])
  }

  /** Waits while it is paused, while too little of what was sent is noted, and for room and the turn of what is to be sent. */
  async #mayGoOn(sends: boolean): Promise<boolean> {
    while (this.#goesOn()) {
      if (this.#dealt - this.#ledger.counts.entries >= mostUnsettled) await this.#acknowledged()
      else if (this.#dealt - this.#saved >= this.#parts.config.backfill.checkpointEntries) {
        await this.#acknowledged()
        await this.#save()
      } else if (this.#wish === 'pause' || (sends && !this.#hasRoom())) await this.#look()
      else return true
    }
    return false
  }

  /** Whether one document more keeps to the target and the rate; alone in flight, one may always go. */
  #hasRoom(): boolean {
    const target = this.#target()
    const { inFlight } = this.#ledger
    if (inFlight > 0 && (inFlight + 1 > target || this.#waiting >= target)) return false
    const { documentsPerSecond } = this.#parts.spec
    if (documentsPerSecond === undefined) return true
    if (Date.now() < this.#mayNextSendMs) return false
    this.#mayNextSendMs = Math.max(Date.now() - lookMs, this.#mayNextSendMs) + 1000 / documentsPerSecond
    return true
  }

  /** Documents that may be in flight: by pages once it is known how many one has. */
  #target(): number {
    const { targetPages, targetDocuments } = this.#parts.config.backfill
    const { ended, pages } = this.#ledger.counts
    const documents = ended.complete + ended.partial + ended.failed
    const target = documents > 0 ? targetPages / Math.max(1, pages / documents) : targetDocuments
    return this.#parts.spec.share * Math.min(target, mostInFlight)
  }

  async #look(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, lookMs))
    const { quietMs } = this.#parts.config.backfill
    if (this.#wish === 'pause') this.#feedback.lastHeardMs = Date.now()
    if (Date.now() - this.#feedback.lastHeardMs > quietMs) await this.#askTheStore()
  }

  /** Nothing was heard for long: where no stage has work left either, the store knows the end of a document, or nobody does. */
  async #askTheStore(): Promise<void> {
    const { config } = this.#parts
    const lags = await patiently(() => stageLags(config.kafka), this.#parts.signal)
    this.#feedback.lastHeardMs = Date.now()
    if (lags?.some(({ lane, lag }) => lane === 'bulk' && lag > 0n) !== false) return
    for (const key of this.#ledger.openKeys()) {
      const end = await storedEnd(key, this.#artifacts)
      if (end) this.#ledger.heard(key, end)
      else this.#ledger.lose(key)
    }
  }

  #goesOn(): boolean {
    if (this.#failure !== undefined) throw this.#failure
    return !this.#parts.signal.aborted && this.#wish !== 'cancel'
  }

  /** Says that it is alive, hears what is wanted and notes where it is. */
  async #poll(ending: AbortSignal): Promise<void> {
    const { record, config } = this.#parts
    const { counts } = this.#ledger
    while (!ending.aborted) {
      await record.renew()
      this.#wish = await record.wish()
      if (counts.state === 'running' || counts.state === 'paused') counts.state = this.#wish === 'pause' ? 'paused' : 'running'
      await this.#save()
      await pause(config.backfill.pollMs, ending)
    }
  }

  async #watchLag(ending: AbortSignal): Promise<void> {
    const { kafka, backfill } = this.#parts.config
    while (!ending.aborted) {
      this.#waiting = (await patiently(() => stageLag(kafka, 'page-render', 'bulk'), ending)) ?? 0
      await pause(backfill.pollMs, ending)
    }
  }

  /** One after the other: an older checkpoint never lands on a newer one. */
  #save(): Promise<void> {
    const { record } = this.#parts
    const before = this.#saving.catch(() => undefined)
    this.#saving = before.then(async () => {
      this.#ledger.counts.workedMs = this.#workedBefore + Date.now() - this.#startedMs
      this.#ledger.counts.saves++
      const [checkpoint, problems] = [this.checkpoint, this.#ledger.takeProblems()]
      try {
        // The first of a process replaces what a killed one may have left behind its last checkpoint.
        if (problems.length > 0 || !this.#hasSaved) await record.saveProblems(checkpoint.saves, problems)
        await record.save(checkpoint)
      } catch (error) {
        this.#ledger.putBack(problems)
        throw error
      }
      this.#hasSaved = true
      this.#saved = checkpoint.entries
      this.#ledger.counts.updatedMs = Date.now()
    })
    return this.#saving
  }
}
