import type { EngineLoad, VlmEngine } from '../engine.ts'
import type { Clock } from './clock.ts'

const pauseMs = 1000

export interface LoadWatchOptions {
  readonly engine: VlmEngine
  readonly clock: Clock
  /** Questions of ours that are under way. */
  readonly questions: () => number
  /** Hears the figures, where the engine has some, and how many of ours were under way all the while. */
  readonly told: (load: EngineLoad | undefined, mine: number) => void
}

/** Asks an engine for its own figures now and then, while it works. */
export class LoadWatch implements Disposable {
  readonly #options: LoadWatchOptions
  #stop: (() => void) | undefined

  constructor(options: LoadWatchOptions) {
    this.#options = options
  }

  /** Once more, in a while. */
  watch(): void {
    const { engine, clock, questions, told } = this.#options
    if (this.#stop !== undefined || questions() === 0) return
    this.#stop = clock.after(pauseMs, async () => {
      const before = questions()
      const load = await engine.load().catch(() => undefined)
      this.#stop = undefined
      told(load, Math.min(before, questions()))
    })
  }

  [Symbol.dispose](): void {
    this.#stop?.()
  }
}
