import { growingPauseMs } from './clock.ts'

/** The first is short: a connection may have been cut, and nothing else. */
const [firstPauseMs, longestPauseMs] = [50, 5000]

/** Whether the engine is away, since when, and when it is worth a try. */
export class Outage {
  readonly #random: () => number
  #since: number | undefined
  #nextTryAt = 0
  #tries = 0

  constructor(random: () => number) {
    this.#random = random
  }

  /** When it began; undefined while the engine is there. */
  get since(): number | undefined {
    return this.#since
  }

  get nextTryAt(): number {
    return this.#nextTryAt
  }

  /** A question did not reach it. Those that fail together with the first are no try of their own. */
  failed(now: number): void {
    if (this.#since !== undefined && now < this.#nextTryAt) return
    this.#since ??= now
    this.#nextTryAt = now + growingPauseMs(this.#tries, firstPauseMs, longestPauseMs, this.#random)
    this.#tries += 1
  }

  ended(): void {
    this.#since = undefined
    this.#tries = 0
  }
}
