import { setTimeout as pause } from 'node:timers/promises'
import { PagestreamError } from '../../../../schema/failure.ts'
import type { DeviceEnvironment } from './device-environment.ts'
import { type ChildEvents, LlamaChild } from './llama-child.ts'
import type { LlamaFacts, LlamaSettings, ToChild } from './llama-protocol.ts'

/**
 * The process with the library, started anew when it ends by itself.
 *
 * | state    | `ready()` | goes on when |
 * |----------|-----------|--------------|
 * | asleep   | starts it | `ready()` is called |
 * | starting | waits; rejects where it fails | it is ready, or fails: down at the first start, else pausing |
 * | up       | resolves  | it ends: pausing |
 * | pausing  | waits     | the pause is over: starting |
 * | down     | rejects   | –, it cannot be started or ended too often in a row |
 * | ended    | rejects   | – |
 */
export class MindedChild {
  readonly #settings: LlamaSettings
  readonly #environment: DeviceEnvironment
  readonly #pausesMs: readonly number[]
  readonly #events: ChildEvents
  readonly #stop = new AbortController()
  #child: LlamaChild | undefined
  #ready: Promise<LlamaFacts> | undefined
  #facts: LlamaFacts | undefined
  /** Ends in a row, without an answer between them. */
  #falls = 0

  constructor(settings: LlamaSettings, environment: DeviceEnvironment, pausesMs: readonly number[], events: ChildEvents) {
    this.#settings = settings
    this.#environment = environment
    this.#pausesMs = pausesMs
    this.#events = events
  }

  get facts(): LlamaFacts | undefined {
    return this.#facts
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Rejects with `engine-missing`, `engine-refused`, `engine-failed`, `cancelled`. */
  ready(): Promise<LlamaFacts> {
    if (this.#stop.signal.aborted) return Promise.reject(new PagestreamError('cancelled', 'asking the model: the engine was stopped'))
    return this.#ready ?? this.#keep(this.#start())
  }

  /** An answer has come: earlier ends do not count any more. */
  works(): void {
    this.#falls = 0
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
    const child = new LlamaChild(this.#settings, this.#environment, {
      message: (message) => this.#events.message(message),
      gone: (error) => {
        this.#keep(this.#startAgain(error))
        this.#events.gone(error)
      },
    })
    this.#child = child
    this.#facts = await child.ready
    return this.#facts
  }

  async #startAgain(last: PagestreamError): Promise<LlamaFacts> {
    for (let error = last; ; ) {
      this.#facts = undefined
      const pauseMs = this.#pausesMs[this.#falls++]
      if (pauseMs === undefined) {
        throw new PagestreamError('engine-refused', `minding llama.cpp: its process ended ${this.#falls} times in a row: ${error.message}`, { cause: error })
      }
      await pause(pauseMs, undefined, { signal: this.#stop.signal }).catch(() => {
        throw new PagestreamError('cancelled', 'asking the model: the engine was stopped')
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
