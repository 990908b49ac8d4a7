import type { DeadLetter, OriginalRecord } from '../schema/events.ts'
import { type Failure, toFailure } from '../schema/failure.ts'
import type { Lane } from '../schema/lane.ts'
import type { CloseReason, Outcome, Stage, StageName } from '../schema/stage.ts'
import type { TopicName, TopicPayload } from '../schema/topics.ts'
import type { Counters } from '../telemetry/counters.ts'
import { Admission } from './admission.ts'
import type { Bus, OutRecord } from './bus.ts'
import { Intake, type TakenRecord } from './intake.ts'
import type { IntakeGateOptions, IntakeState } from './intake-gate.ts'
import { isPassingClass, RetryOwner, type Tried, untried } from './retry.ts'
import { type ClosedWindow, WindowBuilder, type WindowLimits } from './window-builder.ts'
import type { WindowSlots } from './window-slots.ts'

/** What one record of the stage's topic stands for: pages to work on, or events that follow without any work. */
export type Expanded<In> = { readonly kind: 'page'; readonly page: In } | { readonly kind: 'publish'; readonly records: readonly OutRecord[] }

/** How a stage is tied to its topics: reads references from the store, writes results, says which events follow. */
export interface StageBinding<T extends TopicName, In, Out> {
  readonly topic: T
  readonly stage: Stage<In, Out>
  expand(payload: TopicPayload<T>, signal: AbortSignal): AsyncIterable<Expanded<In>>
  /** Stores the value, then answers with the events that follow. */
  done(input: In, value: Out): Promise<readonly OutRecord[]>
  /** The terminal events of a page that failed for good. */
  failed(input: In, failure: Failure): Promise<readonly OutRecord[]>
  /** Partitions may have come from other processes or gone to them: what is remembered of documents may be out of date. */
  reassigned?(): void
  /** The terminal events of a record that could not be expanded. */
  unreadable(payload: TopicPayload<T>, failure: Failure): Promise<readonly OutRecord[]>
}

export interface StageWorkerOptions {
  readonly bus: Bus
  readonly group: string
  readonly window: WindowLimits
  /** Pages taken in and not finished; more are not asked for. */
  readonly maxPagesInFlight: number
  /** Bytes of records taken in and not looked at, where records have bytes. */
  readonly maxBytesBuffered?: number
  /** Who may work on a window; lanes that share a worker share these. */
  readonly slots: WindowSlots
  readonly lane: Lane
  /** Pages of a bulk window while live has work. */
  readonly bulkPages?: number
  readonly counters: Counters
  readonly onFatal: (error: Error) => void
  /** Waits for engines and stores that are down, and stops taking in when too much fails. Without it, a page that fails for a while fails for good. */
  readonly patience?: IntakeGateOptions & { changed?(state: IntakeState): void }
}

interface Task<In> {
  readonly input: In
  readonly record: TakenRecord
  readonly tried: Tried
}

/** Records expanded at once: a slow document does not hold up the ones behind it. */
const expansionsAtOnce = 4

/**
 * Runs one stage: takes records in, fills windows, works on them while the next fill, emits each page's
 * events as soon as its outcome is known, and commits the contiguous finished prefix of every partition.
 * It owns all retries of its stage. `drain` stops the intake and finishes what was begun.
 */
export class StageWorker<T extends TopicName, In, Out> {
  readonly #binding: StageBinding<T, In, Out>
  readonly #options: StageWorkerOptions
  readonly #intake: Intake
  readonly #builder: WindowBuilder<Task<In>>
  readonly #abort = new AbortController()
  readonly #retries: RetryOwner
  readonly #admission: Admission | undefined
  /** Pages that failed for a while, until they are tried again; they hold no window meanwhile. */
  readonly #delayed = new Map<Task<In>, NodeJS.Timeout>()
  #ready: ClosedWindow<Task<In>>[] = []
  #running = 0
  #expanding = 0
  #pagesInFlight = 0
  #windowId = 0
  #timer: NodeJS.Timeout | undefined
  #waiting: (() => void)[] = []
  #busySince = 0
  /** When something was finished last, or work came to an idle worker. */
  #progressAt = 0

  constructor(binding: StageBinding<T, In, Out>, options: StageWorkerOptions) {
    this.#binding = binding
    this.#options = options
    this.#builder = new WindowBuilder(options.window)
    const { patience } = options
    this.#retries = new RetryOwner({ patient: patience !== undefined })
    this.#admission =
      patience &&
      new Admission(patience, {
        hold: (held) => this.#intake.hold(held),
        resume: () => {
          this.#progressAt = Date.now()
          this.#notify()
          this.#expandMore()
        },
        changed: (state) => patience.changed?.(state),
      })
    this.#intake = new Intake(
      options.bus,
      { topic: binding.topic, group: options.group, highMark: options.maxPagesInFlight, highMarkBytes: options.maxBytesBuffered ?? Infinity },
      {
        ready: () => this.#expandMore(),
        reassigned: () => binding.reassigned?.(),
        fatal: options.onFatal,
        staleCommit: () => {
          options.counters.staleCommits++
        },
        committed: () => {
          options.counters.commits++
        },
      },
    )
  }

  get stage(): StageName {
    return this.#binding.stage.name
  }

  get lane(): Lane {
    return this.#options.lane
  }

  /** Whether it takes in, or why not. */
  get state(): IntakeState {
    return this.#admission?.state ?? 'open'
  }

  /** Milliseconds for which work has been in hand and nothing was finished; 0 for an idle worker. */
  stalledMs(now = Date.now()): number {
    return this.#pagesInFlight + this.#expanding === 0 || this.state === 'stopped' ? 0 : now - this.#progressAt
  }

  async start(): Promise<void> {
    await this.#intake.start()
  }

  /** Takes nothing new in, finishes the pages that are being worked on, leaves. The others come again to whoever subscribes next. */
  async drain(): Promise<void> {
    this.#intake.stop()
    this.#abort.abort()
    this.#admission?.close()
    this.#close('drain')
    for (const timer of this.#delayed.values()) clearTimeout(timer)
    this.#giveBack(this.#delayed.size)
    this.#delayed.clear()
    while (this.#pagesInFlight > 0 || this.#expanding > 0) await this.#changed()
    await this.#intake.close()
  }

  #expandMore(): void {
    while (this.#expanding < expansionsAtOnce && this.#mayTake()) {
      const record = this.#intake.next()
      if (!record) break
      if (this.#pagesInFlight + this.#expanding === 0) this.#progressAt = Date.now()
      this.#expanding++
      this.#expand(record)
        .catch((error) => this.#options.onFatal(asError(error)))
        .finally(() => {
          this.#expanding--
          this.#notify()
          this.#expandMore()
        })
    }
    this.#closeIfIdle()
  }

  async #expand(record: TakenRecord): Promise<void> {
    if (record.broken || record.payload === null) return this.#refuse(record)
    const payload = record.payload as TopicPayload<T>
    const progress = { expanded: 0 }
    for (const tried = untried(); ; ) {
      try {
        await this.#expandFrom(record, payload, progress)
        if (this.#abort.signal.aborted) return // not finished: the record is never committed and comes again
        break
      } catch (error) {
        if (this.#abort.signal.aborted) return
        const failure = toFailure(error)
        const delayMs = this.#nextTry(failure, tried)
        if (delayMs === undefined) {
          await this.#publish(record, await this.#binding.unreadable(payload, failure))
          this.#countDead()
          break
        }
        await this.#pause(delayMs)
      }
    }
    record.expanded = true
    this.#finishIfDone(record)
  }

  /** A record that is expanded again, because a store was away in between, goes on where it was. */
  async #expandFrom(record: TakenRecord, payload: TopicPayload<T>, progress: { expanded: number }): Promise<void> {
    let at = 0
    for await (const expanded of this.#binding.expand(payload, this.#abort.signal)) {
      if (at++ < progress.expanded) continue
      if (expanded.kind === 'publish') await this.#publish(record, expanded.records)
      else await this.#admit({ input: expanded.page, record, tried: untried() })
      progress.expanded++
      if (this.#abort.signal.aborted) return
    }
  }

  /** What is no event of the topic goes to the dead letters as it came; the stream behind it flows on. */
  async #refuse(record: TakenRecord): Promise<void> {
    const { topic, broken } = record
    const failure = broken?.failure ?? {
      class: 'input',
      code: 'message-invalid',
      message: `reading a record of ${topic}: it is a tombstone, which asks for no work`,
    }
    const payload: DeadLetter = { stage: this.stage, topic, documentId: '', revision: '', failure, record: null, ...(broken && { original: broken.original }) }
    await this.#publish(record, [{ topic: 'dead-letter', key: record.key || topic, payload }])
    this.#countDead()
    record.expanded = true
    this.#finishIfDone(record)
  }

  /** Events that follow from a record carry its trace and its run on. */
  async #publish(cause: TakenRecord, records: readonly OutRecord[]): Promise<void> {
    const { traceparent, run } = cause
    const carried = { ...(traceparent !== undefined && { traceparent }), ...(run !== undefined && { run }) }
    await this.#options.bus.publish(
      records.map((record) => {
        const traced = { ...carried, ...record }
        return record.topic === 'dead-letter' && record.payload
          ? { ...traced, payload: { original: originalOf(cause), ...(record.payload as DeadLetter) } }
          : traced
      }),
    )
  }

  async #admit(task: Task<In>): Promise<void> {
    while ((this.#pagesInFlight >= this.#options.maxPagesInFlight || !this.#mayTake()) && !this.#abort.signal.aborted) await this.#changed()
    if (this.#abort.signal.aborted) return
    this.#admission?.took()
    this.#pagesInFlight++
    task.record.open++
    const closed = this.#builder.add(task, this.#binding.stage.cost(task.input), Date.now())
    if (closed) this.#enqueue(closed)
    else this.#arm()
    this.#closeIfIdle()
  }

  /** Nobody works and nobody is about to bring more: waiting for a fuller window buys nothing. */
  #closeIfIdle(): void {
    if (this.#running > 0 || this.#builder.size === 0) return
    setImmediate(() => {
      if (this.#running === 0) this.#close('idle')
    })
  }

  #arm(): void {
    const due = this.#builder.dueInMs(Date.now())
    if (due === undefined || this.#timer) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      const closed = this.#builder.tick(Date.now())
      if (closed) this.#enqueue(closed)
      else this.#arm()
    }, due)
  }

  #close(reason: CloseReason): void {
    const closed = this.#builder.close(reason)
    if (closed) this.#enqueue(closed)
  }

  #enqueue(window: ClosedWindow<Task<In>>): void {
    this.#options.counters.windowsClosed[window.reason]++
    this.#ready.push(window)
    this.#runMore()
  }

  /** While live pages are about, bulk works in short windows: a live page waits for the end of one at most. */
  #nextWindow(): ClosedWindow<Task<In>> | undefined {
    const window = this.#ready.shift()
    const { lane, slots, bulkPages = Number.POSITIVE_INFINITY } = this.#options
    if (!window || lane === 'live' || !slots.liveIsAbout || window.items.length <= bulkPages) return window
    this.#ready.unshift({ ...window, items: window.items.slice(bulkPages) })
    return { ...window, items: window.items.slice(0, bulkPages) }
  }

  #runMore(): void {
    while (this.#ready.length > 0) {
      const { slots, lane } = this.#options
      if (!slots.take(this.stage, lane, () => this.#runMore())) return
      const window = this.#nextWindow()
      if (!window) {
        slots.giveBack(this.stage, lane)
        return
      }
      if (this.#running++ === 0) this.#busySince = performance.now()
      this.#options.counters.stages[this.stage].windows++
      this.#work(window.items)
        .catch((error) => this.#options.onFatal(asError(error)))
        .finally(() => {
          slots.giveBack(this.stage, lane)
          if (--this.#running === 0) this.#options.counters.stages[this.stage].busySeconds += (performance.now() - this.#busySince) / 1000
          this.#runMore()
          this.#closeIfIdle()
        })
    }
  }

  /** One window; when the stage itself throws, the halves are tried apart, down to the page that is to blame. */
  async #work(tasks: readonly Task<In>[]): Promise<void> {
    const open = new Map(tasks.map((task) => [task.input, task]))
    const settling: Promise<void>[] = []
    try {
      const window = { id: ++this.#windowId, pages: tasks.map((task) => task.input) }
      for await (const outcome of this.#binding.stage.process(window, this.#abort.signal)) {
        const task = open.get(outcome.input)
        if (!task) continue
        open.delete(outcome.input)
        // Results leave page by page while the next page is worked on.
        settling.push(this.#settle(task, outcome))
      }
      if (this.#abort.signal.aborted) this.#giveBack(open.size)
      else for (const task of open.values()) settling.push(this.#settle(task, failedOutcome(task, noOutcome(this.stage))))
      await Promise.all(settling)
    } catch (error) {
      await Promise.all(settling)
      const left = [...open.values()]
      if (left.length === 0) throw error
      if (this.#abort.signal.aborted) return this.#giveBack(left.length)
      if (left.length === 1 && left[0]) return this.#settle(left[0], failedOutcome(left[0], toFailure(error)))
      const half = left.length >> 1
      await this.#work(left.slice(0, half))
      await this.#work(left.slice(half))
    }
  }

  async #settle(task: Task<In>, outcome: Outcome<In, Out>): Promise<void> {
    const { aborted } = this.#abort.signal
    if (outcome.kind === 'failed') {
      const mustEnd = outcome.failure.code === 'cancelled' || (this.#options.patience && isPassingClass(outcome.failure.class))
      if (aborted && mustEnd) return this.#giveBack(1)
      const delayMs = aborted ? undefined : this.#nextTry(outcome.failure, task.tried)
      if (delayMs !== undefined) return this.#tryLater(task, delayMs)
      if (outcome.failure.code === 'cancelled') return this.#giveBack(1)
    }
    try {
      if (await this.#emitPatiently(task, outcome)) this.#countOutcome(outcome)
    } catch (error) {
      // Neither a result nor a failure can be kept, so the page cannot end: the run must, and the record comes again in the next one.
      this.#options.onFatal(asError(error))
    } finally {
      this.#giveBack(1)
    }
  }

  #tryLater(task: Task<In>, delayMs: number): void {
    const timer = setTimeout(() => {
      this.#delayed.delete(task)
      this.#ready.push({ items: [task], reason: 'age', costMs: 0 })
      this.#runMore()
    }, delayMs)
    this.#delayed.set(task, timer)
  }

  /** When what failed is to be tried again; undefined: it has failed for good. */
  #nextTry(failure: Failure, tried: Tried): number | undefined {
    const delayMs = this.#retries.next(failure, tried)
    if (delayMs === undefined) return undefined
    this.#options.counters.stages[this.stage].retries++
    this.#progressAt = Date.now() // an answer, if a bad one: nothing hangs
    if (isPassingClass(failure.class)) this.#admission?.struggled()
    return delayMs
  }

  /** A patient worker waits for a store that is down; false when it was stopped meanwhile. */
  async #emitPatiently(task: Task<In>, outcome: Outcome<In, Out>): Promise<boolean> {
    for (const tried = untried(); ; ) {
      try {
        await this.#emit(task, outcome)
        return true
      } catch (error) {
        const failure = toFailure(error)
        if (!this.#options.patience || !isPassingClass(failure.class)) throw error
        if (this.#abort.signal.aborted) return false
        const delayMs = this.#nextTry(failure, tried)
        if (delayMs === undefined) throw error
        await this.#pause(delayMs)
      }
    }
  }

  /** Stores the outcome, publishes what follows from it and marks the page finished. */
  async #emit(task: Task<In>, outcome: Outcome<In, Out>): Promise<void> {
    const records = outcome.kind === 'done' ? await this.#binding.done(task.input, outcome.value) : await this.#binding.failed(task.input, outcome.failure)
    await this.#publish(task.record, records)
    task.record.open--
    this.#finishIfDone(task.record)
  }

  #countOutcome({ kind }: Outcome<In, Out>): void {
    const counts = this.#options.counters.stages[this.stage]
    if (kind === 'done') {
      counts.pagesOk++
      this.#retries.succeeded()
      this.#admission?.succeeded()
    } else {
      counts.pagesFailed++
      this.#countDead()
    }
  }

  #countDead(): void {
    this.#options.counters.deadLetters++
    this.#admission?.failed()
  }

  #mayTake(): boolean {
    return this.#abort.signal.aborted || (this.#admission?.check() ?? true)
  }

  /** Ends early when the worker is drained. */
  #pause(ms: number): Promise<void> {
    const { signal } = this.#abort
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal.addEventListener('abort', end)
    })
  }

  /** Pages that are no longer in hand. One that was not finished keeps its record open, which comes again. */
  #giveBack(pages: number): void {
    this.#pagesInFlight -= pages
    this.#notify()
  }

  #finishIfDone(record: TakenRecord): void {
    this.#progressAt = Date.now()
    if (record.expanded && record.open === 0) this.#intake.finish(record)
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #notify(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }
}

/** The record as it came. What was parsed is written again: its text may differ in blanks. */
function originalOf({ origin, partition, offset, key, payload }: TakenRecord): OriginalRecord | undefined {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  return origin && { ...origin, partition, offset: String(offset), key: base64(key), value: payload === null ? null : base64(JSON.stringify(payload)) }
}

const noOutcome = (stage: StageName): Failure => ({ class: 'bug', code: 'internal', message: `${stage} gave no outcome for the page` })

const failedOutcome = <In>(task: Task<In>, failure: Failure) => ({ kind: 'failed' as const, input: task.input, failure })

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
