import { type Failure, toFailure } from '../schema/failure.ts'
import type { CloseReason, Outcome, Stage } from '../schema/stage.ts'
import type { StageCounts } from '../telemetry/counters.ts'
import type { Span } from '../telemetry/tracing/tracer.ts'
import type { WindowView } from '../telemetry/worker-view.ts'
import type { StageTrace, TracedWindow } from './stage-trace.ts'
import { type ClosedWindow, WindowBuilder, type WindowLimits } from './window-builder.ts'

/** A page in a window. */
export interface WindowItem<In> {
  readonly input: In
  readonly span?: Span | undefined
}

export interface WindowRunnerOptions<In, Out> {
  readonly stage: Stage<In, Out>
  readonly limits: WindowLimits
  /** Windows that are worked on at once. */
  readonly windows: number
  readonly counts: StageCounts
  readonly signal: AbortSignal
  readonly trace: StageTrace
}

export interface WindowRunnerHandlers<Item, In, Out> {
  /** A page's outcome is known. */
  settle(item: Item, outcome: Outcome<In, Out>): Promise<void>
  /** Pages that were not worked on, as the signal came. */
  giveBack(pages: number): void
  fatal(error: Error): void
}

interface ReadyWindow<Item> {
  readonly items: readonly Item[]
  /** By the clock of `performance`. */
  readonly closedAt: number
  /** How old its oldest page was then, in milliseconds. */
  readonly ageMs: number
}

/**
 * Gathers pages into windows and works on them, so many windows at once, while the next fill. Every page's
 * outcome is handed on as soon as it is known; when the stage itself throws, the halves are tried apart, down to the page that
 * is to blame.
 */
export class WindowRunner<Item extends WindowItem<In>, In, Out> {
  readonly #options: WindowRunnerOptions<In, Out>
  readonly #on: WindowRunnerHandlers<Item, In, Out>
  readonly #builder: WindowBuilder<Item>
  #ready: ReadyWindow<Item>[] = []
  #running = 0
  #windowId = 0
  #timer: NodeJS.Timeout | undefined
  #busyCountedAt = 0

  constructor(options: WindowRunnerOptions<In, Out>, on: WindowRunnerHandlers<Item, In, Out>) {
    this.#options = options
    this.#on = on
    this.#builder = new WindowBuilder(options.limits)
  }

  get view(): WindowView {
    const oldestMs = this.#builder.ageMs(Date.now())
    return { openPages: this.#builder.size, oldestMs, waiting: this.#ready.length, running: this.#running }
  }

  add(item: Item): void {
    const { stage } = this.#options
    const closed = this.#builder.add(item, { costMs: stage.cost(item.input), bytes: stage.bytes?.(item.input) ?? 0 }, Date.now())
    if (closed) this.#enqueue(closed)
    else this.#arm()
    this.closeIfIdle()
  }

  /** A page that is tried another time goes alone. */
  again(item: Item): void {
    this.#ready.push({ items: [item], closedAt: performance.now(), ageMs: 0 })
    this.#runMore()
  }

  close(reason: CloseReason): void {
    const closed = this.#builder.close(reason, Date.now())
    if (closed) this.#enqueue(closed)
  }

  /** Nobody works and nobody is about to bring more: waiting for a fuller window buys nothing. */
  closeIfIdle(): void {
    if (this.#running > 0 || this.#builder.size === 0) return
    setImmediate(() => {
      if (this.#running === 0) this.close('idle')
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

  #enqueue(window: ClosedWindow<Item>): void {
    const { windowsClosed, windowFill, windowPhases } = this.#options.counts
    windowsClosed[window.reason]++
    windowFill.observe(window.fill)
    windowPhases.gather.observe(window.ageMs / 1000)
    this.#ready.push({ items: window.items, closedAt: performance.now(), ageMs: window.ageMs })
    this.#runMore()
  }

  #runMore(): void {
    const { windows, counts } = this.#options
    while (this.#running < windows) {
      const window = this.#ready.shift()
      if (!window) return
      const now = performance.now()
      if (this.#running++ === 0) this.#busyCountedAt = now
      counts.windowPages.observe(window.items.length)
      counts.windowPhases.queue.observe((now - window.closedAt) / 1000)
      const { items, closedAt, ageMs } = window
      const traced = this.#options.trace.window(items, { gatheredMs: ageMs, queuedMs: now - closedAt })
      this.#work(items, traced)
        .catch((error) => this.#on.fatal(error instanceof Error ? error : new Error(String(error))))
        .finally(() => {
          traced?.span.end()
          this.#running--
          this.#countBusy()
          this.#runMore()
          this.closeIfIdle()
        })
    }
  }

  /** When a window ends, so that a stage that is never without one is counted too. */
  #countBusy(): void {
    const now = performance.now()
    this.#options.counts.busySeconds += (now - this.#busyCountedAt) / 1000
    this.#busyCountedAt = now
  }

  #giveBack(items: readonly Item[]): void {
    for (const { span } of items) span?.end()
    this.#on.giveBack(items.length)
  }

  /** Half a window that is tried apart is one of its own in the figures of work and sending. */
  async #work(items: readonly Item[], traced: TracedWindow | undefined): Promise<void> {
    const { stage, signal, counts } = this.#options
    const begunAt = performance.now()
    const open = new Map(items.map((item) => [item.input, item]))
    const settling: Promise<void>[] = []
    try {
      const window = { id: ++this.#windowId, pages: items.map(({ input }) => input) }
      const working = traced?.work(items.length)
      for await (const outcome of working ? working.run(() => stage.process(window, signal)) : stage.process(window, signal)) {
        const item = open.get(outcome.input)
        if (!item) continue
        open.delete(outcome.input)
        // Results leave page by page while the next page is worked on.
        settling.push(this.#on.settle(item, outcome))
      }
      const workedAt = performance.now()
      working?.end()
      counts.windowPhases.work.observe((workedAt - begunAt) / 1000)
      if (signal.aborted) this.#giveBack([...open.values()])
      else for (const item of open.values()) settling.push(this.#on.settle(item, failed(item.input, noOutcome(stage.name))))
      await Promise.all(settling)
      counts.windowPhases.send.observe((performance.now() - workedAt) / 1000)
      traced?.sent(workedAt)
    } catch (error) {
      await Promise.all(settling)
      const left = [...open.values()]
      const [first] = left
      if (!first) throw error
      if (signal.aborted) return this.#giveBack(left)
      if (left.length === 1) return this.#on.settle(first, failed(first.input, toFailure(error)))
      const half = left.length >> 1
      await this.#work(left.slice(0, half), traced)
      await this.#work(left.slice(half), traced)
    }
  }
}

const noOutcome = (stage: string): Failure => ({ class: 'bug', code: 'internal', message: `${stage} gave no outcome for the page` })

const failed = <In>(input: In, failure: Failure) => ({ kind: 'failed' as const, input, failure })
