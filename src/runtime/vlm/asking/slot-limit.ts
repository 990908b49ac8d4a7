import type { EngineLoad } from '../engine.ts'

/** Halved no more often: many refusals at once are one overload. */
const halvingPauseMs = 1000

/**
 * How many questions may be under way: what the engine has, less what it cannot bear. Halved when the engine says that it is overloaded, lowered to what
 * it works on when questions wait inside of it, and raised by one for each round of answers (additive increase, multiplicative decrease).
 */
export class SlotLimit {
  /** Infinity: as many as there are slots. */
  #limit = Number.POSITIVE_INFINITY
  #halvedAt = Number.NEGATIVE_INFINITY
  #answered = 0

  /** At least 1. */
  of(slots: number): number {
    return Math.max(1, Math.min(slots, this.#limit))
  }

  overloaded(slots: number, now: number): void {
    if (now - this.#halvedAt < halvingPauseMs) return
    this.#halvedAt = now
    this.#lower(Math.floor(this.of(slots) / 2))
  }

  /** `mine`: questions of ours that are under way. Of those that wait inside the engine, our share is to be taken back. */
  told({ running, waiting }: EngineLoad, mine: number, slots: number): void {
    if (waiting <= 0 || mine === 0) return
    const share = Math.ceil((waiting * mine) / Math.max(1, running + waiting))
    this.#lower(Math.min(this.of(slots), mine - share))
  }

  answered(slots: number): void {
    if (this.#limit === Number.POSITIVE_INFINITY) return
    this.#answered += 1
    if (this.#answered < this.of(slots)) return
    this.#answered = 0
    this.#limit += 1
    if (this.#limit >= slots) this.#limit = Number.POSITIVE_INFINITY
  }

  #lower(limit: number): void {
    this.#limit = Math.max(1, limit)
    this.#answered = 0
  }
}
