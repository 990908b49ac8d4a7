import { setMaxListeners } from 'node:events'
import type { OriginalRecord } from '../schema/events.ts'
import { type Failure, PagestreamError, toFailure } from '../schema/failure.ts'
import type { Lane } from '../schema/lane.ts'
import type { Outcome, StageName } from '../schema/stage.ts'
import type { TopicName } from '../schema/topics.ts'
import type { Counters } from '../telemetry/counters.ts'
import type { Log } from '../telemetry/log/log.ts'
import { traceIdOf } from '../telemetry/trace-context.ts'
import { noTracer, type Span, type Tracer } from '../telemetry/tracing/tracer.ts'
import type { WindowView } from '../telemetry/worker-view.ts'
import type { Bus } from './bus.ts'
import { Intake, type TakenRecord } from './intake.ts'
import type { IntakeState } from './intake-gate.ts'
import { RecordExpander } from './record-expander.ts'
import { endsTheWorker, isPassingClass, type Tried, untried } from './retry.ts'
import type { StageBinding } from './stage-binding.ts'
import { type Patience, StageHealth } from './stage-health.ts'
import { carried, placeOf, StageTrace } from './stage-trace.ts'
import { WayOut } from './way-out.ts'
import type { WindowLimits } from './window-builder.ts'
import { WindowRunner } from './window-runner.ts'

export interface StageWorkerOptions {
  readonly bus: Bus
  readonly group: string
  readonly window: WindowLimits
  /** Pages taken in and not finished; more are not asked for. */
  readonly maxPagesInFlight: number
  /** Bytes of records taken in and not finished, where records have bytes. */
  readonly maxBytesBuffered?: number
  /** Windows that are worked on at once. */
  readonly windows: number
  readonly lane: Lane
  readonly counters: Counters
  /** Makes the record of a dead letter small enough for one. */
  readonly keep?: (original: OriginalRecord) => Promise<OriginalRecord>
  readonly onFatal: (error: Error) => void
  readonly patience?: Patience
  /** Hears of what failed for good. */
  readonly log?: Log
  /** Hears of pages and windows. */
  readonly tracer?: Tracer
}

interface Task<In> {
  readonly input: In
  readonly record: TakenRecord
  readonly tried: Tried
  /** When it was taken in, by the clock of `performance`. */
  takenAt: number
  span: Span | undefined
}

/**
 * Runs one stage: takes records in, fills windows, works on them while the next fill, emits each page's
 * events as soon as its outcome is known, and commits the contiguous finished prefix of every partition.
 * It owns all retries of its stage. `drain` stops the intake and finishes what was begun.
 */
export class StageWorker<T extends TopicName, In, Out> {
  readonly #binding: StageBinding<T, In, Out>
  readonly #options: StageWorkerOptions
  readonly #intake: Intake
  readonly #windows: WindowRunner<Task<In>, In, Out>
  readonly #health: StageHealth
  readonly #out: WayOut
  readonly #trace: StageTrace
  readonly #expander: RecordExpander<T, In, Out>
  readonly #abort = new AbortController()
  /** Pages that failed for a while, until they are tried again; they hold no window meanwhile. */
  readonly #delayed = new Map<Task<In>, NodeJS.Timeout>()
  #pagesInFlight = 0
  #waiting: (() => void)[] = []

  constructor(binding: StageBinding<T, In, Out>, options: StageWorkerOptions) {
    this.#binding = binding
    this.#options = options
    const { bus, counters, windows, window, keep, tracer = noTracer, maxBytesBuffered = Number.POSITIVE_INFINITY } = options
    const { signal } = this.#abort
    setMaxListeners(0, signal) // each question to an engine listens for it
    const counts = counters.stages[binding.stage.name]
    this.#trace = new StageTrace(tracer, { stage: binding.stage.name, lane: options.lane, group: options.group })
    this.#health = new StageHealth({
      ...{ counts, patience: options.patience },
      hold: (held) => this.#intake.hold(held),
      resume: () => {
        this.#notify()
        this.#expandMore()
      },
    })
    this.#out = new WayOut({ bus, health: this.#health, signal, keep })
    this.#expander = new RecordExpander(
      { binding, health: this.#health, out: this.#out, signal, trace: this.#trace, failed: (record, failure, input) => this.#tell(record, failure, input) },
      {
        next: () => this.#next(),
        admit: (record, input) => this.#admit({ input, record, tried: untried(), takenAt: 0, span: undefined }),
        expanded: (record) => {
          record.expanded = true
          this.#finishIfDone(record)
        },
        freed: () => {
          this.#notify()
          this.#expandMore()
        },
        fatal: options.onFatal,
      },
    )
    this.#windows = new WindowRunner(
      { stage: binding.stage, limits: window, windows, counts, signal, trace: this.#trace },
      { settle: (task, outcome) => this.#settle(task, outcome), giveBack: (pages) => this.#giveBack(pages), fatal: options.onFatal },
    )
    this.#intake = new Intake(
      bus,
      { topic: binding.topic, group: options.group, highMark: options.maxPagesInFlight, highMarkBytes: maxBytesBuffered },
      {
        ready: () => this.#expandMore(),
        reassigned: () => {
          counts.assignments++
          binding.reassigned?.()
        },
        fatal: options.onFatal,
        staleCommit: () => {
          counts.staleCommits++
        },
        committed: () => {
          counts.commits++
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
    return this.#health.state
  }

  get window(): WindowView {
    return this.#windows.view
  }

  /** Pages taken in and not finished. */
  get pagesInFlight(): number {
    return this.#pagesInFlight
  }

  /** Bytes of records taken in and not finished. */
  get bytesHeld(): number {
    return this.#intake.bytesHeld
  }

  /** Partitions that are ours. */
  get partitions(): readonly number[] {
    return this.#intake.partitions
  }

  /** Whether they are not read on at the moment. */
  get isPaused(): boolean {
    return this.#intake.isPaused
  }

  /** Age of the oldest record in hand that is not finished, in milliseconds. */
  lagMs(now = Date.now()): number {
    return Math.max(0, now - (this.#intake.oldestWrittenMs ?? now))
  }

  /** Milliseconds for which work has been in hand and nothing was finished; 0 for an idle worker. */
  stalledMs(now = Date.now()): number {
    return this.#isIdle ? 0 : this.#health.idleMs(now)
  }

  async start(): Promise<void> {
    await this.#intake.start()
  }

  /** Takes nothing new in, finishes the pages that are being worked on, leaves. The others come again to whoever subscribes next. */
  async drain(): Promise<void> {
    this.#intake.stop()
    this.#abort.abort()
    this.#health.close()
    this.#windows.close('drain')
    for (const [task, timer] of this.#delayed) {
      clearTimeout(timer)
      task.span?.end()
    }
    this.#giveBack(this.#delayed.size)
    this.#delayed.clear()
    while (!this.#isIdle) await this.#changed()
    await this.#intake.close()
  }

  #expandMore(): void {
    this.#expander.more()
    this.#windows.closeIfIdle()
  }

  #next(): TakenRecord | undefined {
    const record = this.#mayTake() ? this.#intake.next() : undefined
    if (record && this.#isIdle) this.#health.progressed()
    return record
  }

  async #admit(task: Task<In>): Promise<void> {
    while ((this.#pagesInFlight >= this.#options.maxPagesInFlight || !this.#mayTake()) && !this.#abort.signal.aborted) await this.#changed()
    if (this.#abort.signal.aborted) return
    this.#health.took()
    this.#pagesInFlight++
    task.takenAt = performance.now()
    task.span = this.#trace.page(task.record, task.input)
    task.record.open++
    this.#windows.add(task)
  }

  async #settle(task: Task<In>, outcome: Outcome<In, Out>): Promise<void> {
    const { aborted } = this.#abort.signal
    if (outcome.kind === 'failed') {
      const { failure } = outcome
      if (endsTheWorker(failure)) return this.#endWorker(failure)
      const mustEnd = failure.code === 'cancelled' || (this.#health.patient && isPassingClass(failure.class))
      if (aborted && mustEnd) return this.#leave(task)
      const delayMs = aborted ? undefined : this.#health.nextTry(failure, task.tried)
      if (delayMs !== undefined) return this.#tryLater(task, failure, delayMs)
      if (failure.code === 'cancelled') return this.#leave(task)
      if (!aborted && this.#health.endsRun(failure, task.tried)) return this.#endWorker(failure)
    }
    try {
      await this.#end(task, outcome)
    } catch (error) {
      // Neither a result nor a failure can be kept, so the page cannot end: the run must, and the record comes again in the next one.
      this.#options.onFatal(asError(error))
    } finally {
      this.#giveBack(1)
    }
  }

  #endWorker({ code, message }: Failure): void {
    this.#options.onFatal(new PagestreamError(code, message))
    this.#giveBack(1)
  }

  /** Events that can never be sent, because one is too large, are the page's failure. */
  async #end(task: Task<In>, outcome: Outcome<In, Out>): Promise<void> {
    try {
      if (await this.#out.patiently(() => this.#emit(task, outcome))) this.#countOutcome(task, outcome)
    } catch (error) {
      const failure = toFailure(error)
      if (outcome.kind === 'failed' || failure.code !== 'message-too-large') throw error
      await this.#end(task, { kind: 'failed', input: task.input, failure })
    }
  }

  /** A page that is not finished here. */
  #leave(task: Task<In>): void {
    task.span?.event('left to another worker')
    task.span?.end()
    this.#giveBack(1)
  }

  #tryLater(task: Task<In>, { code }: Failure, delayMs: number): void {
    task.span?.event('tried again', { 'error.type': code, 'pagestream.retry.delay': delayMs / 1000 })
    const timer = setTimeout(() => {
      this.#delayed.delete(task)
      this.#windows.again(task)
    }, delayMs)
    this.#delayed.set(task, timer)
  }

  /** Stores the outcome, publishes what follows from it and marks the page finished. */
  async #emit(task: Task<In>, outcome: Outcome<In, Out>): Promise<void> {
    const records = outcome.kind === 'done' ? await this.#binding.done(task.input, outcome.value) : await this.#binding.failed(task.input, outcome.failure)
    await this.#out.publish(task.span ? { ...task.record, ...carried(task.span) } : task.record, records)
    task.record.open--
    this.#finishIfDone(task.record)
  }

  #countOutcome({ record, takenAt, span }: Task<In>, outcome: Outcome<In, Out>): void {
    this.#options.counters.stages[this.stage].pageSeconds.observe((performance.now() - takenAt) / 1000, traceIdOf(span?.traceparent ?? record.traceparent))
    if (outcome.kind === 'failed') span?.fail(outcome.failure)
    if (outcome.kind === 'failed') this.#tell(record, outcome.failure, outcome.input, span?.traceparent)
    span?.end()
    if (outcome.kind === 'done') this.#health.succeeded()
    else {
      this.#options.counters.stages[this.stage].pagesFailed++
      this.#health.failed(outcome.failure)
    }
  }

  /** Once for each dead letter. */
  #tell(record: TakenRecord, { code, class: of, message }: Failure, input: unknown, traceparent = record.traceparent): void {
    const { topic, partition, offset } = record
    const place = input === undefined ? {} : placeOf(input, record)
    const text = `failed for good (${topic}/${partition}/${offset}): ${message}`
    this.#options.log?.({ level: 'error', stage: this.stage, lane: this.lane, code, class: of, text, traceId: traceIdOf(traceparent), ...place })
  }

  get #isIdle(): boolean {
    return this.#pagesInFlight + this.#expander.expanding === 0
  }

  #mayTake(): boolean {
    return this.#abort.signal.aborted || this.#health.mayTake
  }

  /** Pages that are no longer in hand. One that was not finished keeps its record open, which comes again. */
  #giveBack(pages: number): void {
    this.#pagesInFlight -= pages
    this.#notify()
  }

  #finishIfDone(record: TakenRecord): void {
    this.#health.progressed()
    if (!record.expanded || record.open > 0) return
    this.#options.counters.stages[this.stage].records++
    this.#intake.finish(record)
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

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
