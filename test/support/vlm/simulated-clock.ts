import type { Clock } from '../../../src/runtime/vlm/asking/clock.ts'

interface Timer {
  readonly at: number
  readonly order: number
  readonly act: () => void
}

/** Lets everything happen that is ready to, without letting time pass. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Time that passes when it is told to. */
export class SimulatedClock implements Clock {
  #now = 0
  #order = 0
  #timers: Timer[] = []

  now(): number {
    return this.#now
  }

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.#now + ms, order: this.#order++, act }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer)
    }
  }

  get timers(): number {
    return this.#timers.length
  }

  /** Lets time pass, and everything happen in its order. `seen` is called after each moment in which something did. */
  async advance(ms: number, seen: () => void = () => undefined): Promise<void> {
    const end = this.#now + ms
    await settle()
    seen()
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#now = next.at
      this.#timers = this.#timers.filter((each) => each !== next)
      next.act()
      await settle()
      seen()
    }
    this.#now = end
  }

  #next(end: number): Timer | undefined {
    const due = this.#timers.filter(({ at }) => at <= end)
    return due.reduce<Timer | undefined>(
      (first, each) => (first && (first.at < each.at || (first.at === each.at && first.order < each.order)) ? first : each),
      undefined,
    )
  }
}
