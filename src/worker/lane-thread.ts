import { Worker } from 'node:worker_threads'
import { PagestreamError } from '../schema/failure.ts'
import { reasonOf } from '../schema/reason.ts'
import { Counters } from '../telemetry/counters.ts'
import { type FromLane, type LaneFailure, type LaneThreadData, type ToLane, viewEveryMs } from './lane-protocol.ts'
import type { LaneEvents, LaneOptions, LaneRunner, LaneView } from './lane-runner.ts'

/** So many views late, a thread is said to stand still. */
const missedViews = 10

/**
 * The stages of a lane in a thread of their own, which gives way to the other threads of the process: whatever they do, it
 * neither holds up the event loop of another lane nor takes the processor from it, and gets what is left, at least a share.
 */
export class LaneThread implements LaneRunner {
  readonly #thread: Worker
  readonly #on: LaneEvents
  readonly #ended: Promise<void>
  #view: LaneView
  /** When the thread told it. */
  #viewAt = 0
  #ready = false
  #ending = false
  #cause: unknown
  #settled: (failure?: LaneFailure) => void = () => {}
  #drained: () => void = () => {}
  #started: Promise<LaneFailure | undefined>

  /** Starts at once. Another script in tests. */
  constructor({ config, stages, lane }: LaneOptions, on: LaneEvents, script = new URL('./lane-worker.js', import.meta.url)) {
    this.#view = { lane, counters: new Counters(), loopLagSeconds: { p50: 0, p99: 0, max: 0 }, stages: [], sending: { records: 0, bytes: 0 } }
    this.#on = on
    this.#started = new Promise((resolve) => {
      this.#settled = resolve
    })
    const data: LaneThreadData = { config, stages: [...stages], lane, nice: config.worker.bulkNice }
    this.#thread = new Worker(script, { workerData: data })
    this.#thread.on('message', (message: FromLane) => this.#receive(message))
    this.#thread.on('error', (error) => {
      this.#cause = error
    })
    this.#ended = new Promise((resolve) => {
      this.#thread.once('exit', () => {
        this.#exited()
        resolve()
      })
    })
  }

  /** As the thread told last. One that has not told for long hangs, whatever its stages were at. */
  get view(): LaneView {
    const silentMs = Date.now() - this.#viewAt
    if (silentMs < missedViews * viewEveryMs) return this.#view
    return { ...this.#view, stages: this.#view.stages.map((stage) => ({ ...stage, stalledMs: Math.max(stage.stalledMs, silentMs) })) }
  }

  async start(): Promise<void> {
    const failure = await this.#started
    if (failure) throw new PagestreamError(failure.code, failure.message)
  }

  async drain(): Promise<void> {
    if (this.#ready) await this.#ask('drain')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending = true
    if (this.#ready) await this.#ask('end')
    await this.#thread.terminate() // it has nothing in hand; a client that still looks for its broker would keep it
    await this.#ended
  }

  async #ask(message: ToLane): Promise<void> {
    const drained = new Promise<void>((resolve) => {
      this.#drained = resolve
    })
    this.#thread.postMessage(message)
    await Promise.race([drained, this.#ended])
  }

  #receive(message: FromLane): void {
    switch (message.kind) {
      case 'ready':
        this.#ready = true
        this.#settled()
        break
      case 'failed':
        this.#settled(message.failure)
        break
      case 'fatal':
        this.#on.fatal(new PagestreamError(message.failure.code, message.failure.message))
        break
      case 'log':
        this.#on.log(message.entry)
        break
      case 'view':
        this.#view = message.view
        this.#viewAt = Date.now()
        break
      case 'drained':
        this.#drained()
    }
  }

  /** Nobody told it to: what it had in hand comes again to another process. */
  #exited(): void {
    const failure: LaneFailure = {
      code: 'internal',
      message: `the thread of the ${this.#view.lane} lane ended${this.#cause ? `: ${reasonOf(this.#cause)}` : ''}`,
    }
    if (this.#ready && !this.#ending) this.#on.fatal(new PagestreamError(failure.code, failure.message, { cause: this.#cause }))
    this.#settled(failure)
  }
}
