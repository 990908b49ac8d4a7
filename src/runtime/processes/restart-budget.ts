/** How often something that falls is started again. */
export interface RestartLimits {
  /** More starts than this within `withinMs` of running are not made. */
  readonly most: number
  readonly withinMs: number
  /** The first pause; each further one is twice as long, up to `longestMs`. */
  readonly firstMs: number
  readonly longestMs: number
}

export const defaultRestarts: RestartLimits = { most: 5, withinMs: 600_000, firstMs: 1_000, longestMs: 60_000 }

/**
 * Restarts of one thing: what falls at once is left alone for longer and longer and then given up, what ran for long has all tries again. Only time in
 * which it ran counts: what takes long to fail is no better for it.
 */
export class RestartBudget {
  readonly #limits: RestartLimits
  /** When it was started again, by `#ranMs`. */
  #times: number[] = []
  #ranMs = 0
  #runsSince: number | undefined

  constructor(limits: RestartLimits = defaultRestarts) {
    this.#limits = limits
  }

  /** It runs. `nowMs`: any clock that only goes forward. */
  runs(nowMs: number): void {
    this.#runsSince = nowMs
  }

  /** It does not run any more. Milliseconds to wait before the next start, which it counts; undefined when none is left. */
  next(nowMs: number): number | undefined {
    const { most, withinMs, firstMs, longestMs } = this.#limits
    this.#ranMs += nowMs - (this.#runsSince ?? nowMs)
    this.#runsSince = undefined
    this.#times = this.#times.filter((time) => this.#ranMs - time < withinMs)
    if (this.#times.length >= most) return undefined
    this.#times.push(this.#ranMs)
    return Math.min(longestMs, firstMs * 2 ** (this.#times.length - 1))
  }
}
