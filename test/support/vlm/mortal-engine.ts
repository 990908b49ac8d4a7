import type { Answer, Ask, AskOptions, VlmEngine } from '../../../src/runtime/vlm/engine.ts'
import { PagestreamError } from '../../../src/schema/failure.ts'
import type { SimulatedClock } from './simulated-clock.ts'

const lost = () => new PagestreamError('engine-unreachable', 'simulated')

/** An engine that falls over one question, with all that it has in hand, and is away until it has loaded its model again. Its time is simulated. */
export class MortalEngine implements VlmEngine {
  readonly name = 'mortal'
  readonly model = 'mortal'
  readonly slots = 4
  /** How often it fell. */
  deaths = 0
  readonly #clock: SimulatedClock
  readonly #poison: string
  readonly #loadMs: number
  readonly #inHand = new Set<() => void>()
  #downUntil = 0

  constructor(clock: SimulatedClock, poison: string, loadMs: number) {
    this.#clock = clock
    this.#poison = poison
    this.#loadMs = loadMs
  }

  async start(): Promise<void> {}

  ask(ask: Ask, { signal }: AskOptions = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#clock.now() < this.#downUntil) return reject(lost())
      const die = () => {
        stop()
        reject(lost())
      }
      const end = () => {
        this.#inHand.delete(die)
        resolve({ text: ask.prompt, finish: 'stop', promptTokens: 1, outputTokens: 1, firstTokenMs: 1, totalMs: 1 })
      }
      const stop = this.#clock.after(300, ask.prompt === this.#poison ? () => this.#fall() : end)
      this.#inHand.add(die)
      signal?.addEventListener('abort', die)
    })
  }

  async load(): Promise<undefined> {
    return undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #fall(): void {
    this.deaths += 1
    this.#downUntil = this.#clock.now() + this.#loadMs
    for (const die of this.#inHand) die()
    this.#inHand.clear()
  }
}
