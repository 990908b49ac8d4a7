/** How often something that falls is started again. */
export interface RestartLimits {
  /** More starts than this within `withinMs` are not made. */
  readonly most: number
  readonly withinMs: number
  /** The first pause; each further one is twice as long, up to `longestMs`. */
  readonly firstMs: number
  readonly longestMs: number
}

export const defaultRestarts: RestartLimits = { most: 5, withinMs: 600_000, firstMs: 1_000, longestMs: 60_000 }

/** Restarts of one thing: what falls at once is left alone for longer and longer and then given up, what ran for long has all tries again. */
export class RestartBudget {
  readonly #limits: RestartLimits
  #times: number[] = []

  constructor(limits: RestartLimits = defaultRestarts) {
    this.#limits = limits
  }

  /** Milliseconds to wait before the next start, which it counts; undefined when none is left. `nowMs`: any clock that only goes forward. */
  next(nowMs: number): number | undefined {
    const { most, withinMs, firstMs, longestMs } = this.#limits
    this.#times = this.#times.filter((time) => nowMs - time < withinMs)
    if (this.#times.length >= most) return undefined
    this.#times.push(nowMs)
    return Math.min(longestMs, firstMs * 2 ** (this.#times.length - 1))
  }
}
