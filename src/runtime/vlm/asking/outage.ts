import { growingPauseMs } from './clock.ts'

/** The first is short: a connection may have been cut, and nothing else. */
const [firstPauseMs, longestPauseMs] = [50, 5000]
const defaultPatienceMs = 30_000
/** Of questions that come when patience is over: long enough for the next try whether the engine is back. */
const latecomersMs = 6000
/** A connection that is cut, or a server that is started anew, is no news before. */
const tellAfterMs = 1000

/** Whether the engine is away, since when, when it is worth a try, and how long it is waited for. */
export class Outage {
  readonly #random: () => number
  readonly #patienceMs: number
  #since: number | undefined
  #nextTryAt = 0
  #tries = 0
  #isTold = false

  constructor(random: () => number, patienceMs = defaultPatienceMs) {
    this.#random = random
    this.#patienceMs = patienceMs
  }

  /** When it began; undefined while the engine is there. */
  get since(): number | undefined {
    return this.#since
  }

  get nextTryAt(): number {
    return this.#nextTryAt
  }

  /** When a question fails that came at some time and waits; while the engine is there, never. */
  patienceEnds(arrivedAt: number): number {
    if (this.#since === undefined) return Number.POSITIVE_INFINITY
    return Math.max(this.#since + this.#patienceMs, arrivedAt + Math.min(this.#patienceMs, latecomersMs))
  }

  /** What a person should hear, once each: that it has been away for a while, and that it is back. */
  news(now: number): 'away' | 'back' | undefined {
    if (this.#since === undefined ? !this.#isTold : this.#isTold || now - this.#since < tellAfterMs) return undefined
    this.#isTold = this.#since !== undefined
    return this.#isTold ? 'away' : 'back'
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
