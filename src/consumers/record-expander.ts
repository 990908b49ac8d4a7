import type { DeadLetter } from '../schema/events.ts'
import { type Failure, toFailure } from '../schema/failure.ts'
import type { TopicName, TopicPayload } from '../schema/topics.ts'
import type { OutRecord } from './bus.ts'
import { causeOf } from './caused-records.ts'
import type { TakenRecord } from './intake.ts'
import { endsTheWorker, untried } from './retry.ts'
import type { StageBinding } from './stage-binding.ts'
import type { StageHealth } from './stage-health.ts'
import type { StageTrace } from './stage-trace.ts'
import type { WayOut } from './way-out.ts'

/** Records expanded at once: a slow document does not hold up the ones behind it. */
const expansionsAtOnce = 4

export interface RecordExpanderParts<T extends TopicName, In, Out> {
  readonly binding: StageBinding<T, In, Out>
  readonly health: StageHealth
  readonly out: WayOut
  readonly signal: AbortSignal
  readonly trace: StageTrace
  /** A record failed for good; `input` where it is an event. */
  failed(record: TakenRecord, failure: Failure, input?: unknown): void
}

export interface RecordExpanderHandlers<In> {
  /** The next record that may be taken in now. */
  next(): TakenRecord | undefined
  /** Waits for room, then works on the page; returns without when the worker is drained. */
  admit(record: TakenRecord, page: In): Promise<void>
  /** All pages of the record are known, or it has none. */
  expanded(record: TakenRecord): void
  /** A place for a further record is free. */
  freed(): void
  fatal(error: Error): void
}

/** Makes pages of records. What is no event, or cannot be read, goes to the dead letters; the stream behind it flows on. */
export class RecordExpander<T extends TopicName, In, Out> {
  readonly #parts: RecordExpanderParts<T, In, Out>
  readonly #on: RecordExpanderHandlers<In>
  #expanding = 0

  constructor(parts: RecordExpanderParts<T, In, Out>, on: RecordExpanderHandlers<In>) {
    this.#parts = parts
    this.#on = on
  }

  /** Records that are being expanded. */
  get expanding(): number {
    return this.#expanding
  }

  /** Takes in as many records as there are places for. */
  more(): void {
    while (this.#expanding < expansionsAtOnce) {
      const record = this.#on.next()
      if (!record) return
      this.#expanding++
      this.#end(record)
        .catch((error) => this.#on.fatal(error instanceof Error ? error : new Error(String(error))))
        .finally(() => {
          this.#expanding--
          this.#on.freed()
        })
    }
  }

  /** A record that was not finished when the worker is drained is never committed and comes again. */
  async #end(record: TakenRecord): Promise<void> {
    const finished = record.broken || record.payload === null ? await this.#refuse(record) : await this.#expand(record, record.payload as TopicPayload<T>)
    if (finished) this.#on.expanded(record)
  }

  async #expand(record: TakenRecord, payload: TopicPayload<T>): Promise<boolean> {
    const { binding, health, out, signal } = this.#parts
    const progress = { expanded: 0 }
    for (const tried = untried(); ; ) {
      try {
        await this.#expandFrom(record, payload, progress)
        return !signal.aborted
      } catch (error) {
        if (signal.aborted) return false
        const failure = toFailure(error)
        if (endsTheWorker(failure)) throw error
        const delayMs = health.nextTry(failure, tried)
        if (delayMs === undefined) return this.#giveUp(record, failure, () => binding.unreadable(payload, failure))
        await out.pause(delayMs)
      }
    }
  }

  /** A record that is expanded again, because a store was away in between, goes on where it was. */
  async #expandFrom(record: TakenRecord, payload: TopicPayload<T>, progress: { expanded: number }): Promise<void> {
    const { binding, out, signal } = this.#parts
    let at = 0
    for await (const expanded of binding.expand(payload, signal, causeOf(record))) {
      if (at++ < progress.expanded) continue
      if (expanded.kind === 'publish') await out.publish(record, expanded.records)
      else await this.#on.admit(record, expanded.page)
      progress.expanded++
      if (signal.aborted) return
    }
  }

  /** What is no event of the topic is kept as it came. */
  #refuse(record: TakenRecord): Promise<boolean> {
    const { topic, broken } = record
    const failure = broken ?? {
      class: 'input' as const,
      code: 'message-invalid' as const,
      message: `reading a record of ${topic}: it is a tombstone, which asks for no work`,
    }
    const payload: DeadLetter = { stage: this.#parts.binding.stage.name, topic, documentId: '', revision: '', failure, record: null }
    // No document is known, so any key does; what came as one may be of any size.
    return this.#giveUp(record, failure, async () => [{ topic: 'dead-letter', key: topic, payload }])
  }

  /** False when the worker is drained before it has said so. */
  async #giveUp(record: TakenRecord, failure: Failure, terminal: () => Promise<readonly OutRecord[]>): Promise<boolean> {
    const { health, out, trace, failed } = this.#parts
    trace.refused(record, failure)
    const told = await out.patiently(async () => out.publish(record, await terminal()))
    if (!told) return false
    health.failed(failure)
    failed(record, failure, record.broken ? undefined : (record.payload ?? undefined))
    return true
  }
}
