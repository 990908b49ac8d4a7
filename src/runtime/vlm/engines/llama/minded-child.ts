import { setTimeout as pause } from 'node:timers/promises'
import { PagestreamError } from '../../../../schema/failure.ts'
import { RestartBudget, type RestartLimits } from '../../../processes/restart-budget.ts'
import { type ChildEvents, LlamaChild } from './llama-child.ts'
import type { LlamaFacts, LlamaSettings, ToChild } from './llama-protocol.ts'

/**
 * The process with the library, started anew when it ends by itself.
 *
 * | state      | `ready()` | goes on when |
 * |------------|-----------|--------------|
 * | asleep     | starts it | `ready()` is called |
 * | starting   | waits; rejects where it fails | it is ready, or fails: down |
 * | up         | resolves  | it ends: restarting |
 * | restarting | rejects with `engine-unreachable` | it is ready, after pauses; or fails too often: down |
 * | down       | rejects   | –, it cannot be started or has ended too often |
 * | ended      | rejects   | – |
 */
export class MindedChild {
  readonly #settings: LlamaSettings
  readonly #startMs: number
  readonly #restarts: RestartBudget
  readonly #events: ChildEvents
  readonly #stop = new AbortController()
  #child: LlamaChild | undefined
  #ready: Promise<LlamaFacts> | undefined
  #facts: LlamaFacts | undefined
  #isRestarting = false

  /** `startMs`: how long each start may take. */
  constructor(settings: LlamaSettings, limits: { readonly startMs: number; readonly restarts: RestartLimits }, events: ChildEvents) {
    this.#settings = settings
    this.#startMs = limits.startMs
    this.#restarts = new RestartBudget(limits.restarts)
    this.#events = events
  }

  get facts(): LlamaFacts | undefined {
    return this.#facts
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Rejects with `engine-missing`, `engine-refused`, `engine-failed`, `engine-unreachable`, `cancelled`. */
  ready(): Promise<LlamaFacts> {
    if (this.#stop.signal.aborted) return Promise.reject(stopped())
    if (this.#isRestarting) return Promise.reject(new PagestreamError('engine-unreachable', 'asking the model: its process has ended and is started again'))
    return this.#ready ?? this.#keep(this.#start())
  }

  send(message: ToChild): void {
    this.#child?.send(message)
  }

  kill(): void {
    this.#child?.kill()
  }

  async end(): Promise<void> {
    this.#stop.abort()
    await this.#child?.end()
  }

  #keep(ready: Promise<LlamaFacts>): Promise<LlamaFacts> {
    this.#ready = ready
    ready.catch(() => undefined)
    return ready
  }

  async #start(): Promise<LlamaFacts> {
    if (this.#stop.signal.aborted) throw stopped()
    const child = new LlamaChild(this.#settings, this.#startMs, {
      message: (message) => this.#events.message(message),
      gone: (error) => {
        this.#events.restarts?.()
        this.#keep(this.#startAgain(error))
        this.#events.gone(error)
      },
    })
    this.#child = child
    this.#facts = await child.ready
    this.#restarts.runs(performance.now())
    return this.#facts
  }

  async #startAgain(last: PagestreamError): Promise<LlamaFacts> {
    this.#isRestarting = true
    try {
      return await this.#startUntilUp(last)
    } finally {
      this.#isRestarting = false
    }
  }

  async #startUntilUp(last: PagestreamError): Promise<LlamaFacts> {
    for (let error = last; ; ) {
      this.#facts = undefined
      const pauseMs = this.#restarts.next(performance.now())
      if (pauseMs === undefined) {
        throw new PagestreamError('engine-refused', `minding llama.cpp: its process has ended too often: ${error.message}`, { cause: error })
      }
      await pause(pauseMs, undefined, { signal: this.#stop.signal }).catch(() => {
        throw stopped()
      })
      try {
        return await this.#start()
      } catch (failure) {
        if (!(failure instanceof PagestreamError) || failure.code !== 'engine-failed') throw failure
        error = failure
      }
    }
  }
}

const stopped = (): PagestreamError => new PagestreamError('cancelled', 'asking the model: the engine was stopped')
