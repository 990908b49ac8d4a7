import type { Answer, Ask, AskOptions, EngineLoad, VlmEngine } from '../../../src/runtime/vlm/engine.ts'
import { PagestreamError } from '../../../src/schema/failure.ts'
import type { SimulatedClock } from './simulated-clock.ts'

/** What becomes of one question: an answer of so many tokens, or a failure after so long. */
export interface Fate {
  readonly ms: number
  readonly failure?: PagestreamError
  /** A piece is heard first. */
  readonly hears?: boolean
}

/** An engine whose time is simulated. It takes whatever it is asked, and remembers. */
export class SimulatedEngine implements VlmEngine {
  readonly name = 'simulated'
  readonly model = 'simulated'
  slots: number
  inFlight = 0
  mostInFlight = 0
  /** Prompts in the order in which they were asked. */
  readonly asked: string[] = []
  figures: EngineLoad | undefined
  /** Hears of each question that begins (1) and ends (-1). */
  onAsked: (ask: Ask, by: 1 | -1) => void = () => undefined
  readonly #clock: SimulatedClock
  readonly #fate: (ask: Ask, index: number) => Fate

  constructor(clock: SimulatedClock, slots: number, fate: (ask: Ask, index: number) => Fate) {
    this.#clock = clock
    this.slots = slots
    this.#fate = fate
  }

  async start(): Promise<void> {}

  async ask(ask: Ask, { signal, listen }: AskOptions = {}): Promise<Answer> {
    const index = this.asked.push(ask.prompt) - 1
    this.inFlight += 1
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight)
    const { ms, failure, hears } = this.#fate(ask, index)
    this.onAsked(ask, 1)
    if (hears) listen?.(`${index}`)
    try {
      await this.#pass(ms, signal)
      if (failure !== undefined) throw failure
      return { text: ask.prompt, finish: 'stop', promptTokens: 100, outputTokens: Math.max(1, Math.round(ms / 10)), firstTokenMs: 1, totalMs: Math.max(1, ms) }
    } finally {
      this.inFlight -= 1
      this.onAsked(ask, -1)
    }
  }

  async load(): Promise<EngineLoad | undefined> {
    return this.figures
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #pass(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = this.#clock.after(ms, resolve)
      signal?.addEventListener('abort', () => {
        stop()
        reject(new PagestreamError('cancelled', 'asking: stopped'))
      })
    })
  }
}
