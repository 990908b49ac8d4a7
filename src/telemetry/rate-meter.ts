const everyMs = 5_000
/** Rates are told over so long. */
const spanMs = 60_000

/** Counts that only grow, by name. */
export type Totals = Readonly<Record<string, number>>

interface Look {
  readonly atMs: number
  readonly totals: Totals
}

/** How fast counts have grown within the last minute: for people without Prometheus. */
export class RateMeter implements Disposable {
  readonly #totals: () => Totals
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  #looks: Look[] = []

  constructor(totals: () => Totals, now: () => number = () => performance.now()) {
    this.#totals = totals
    this.#now = now
    this.look()
    this.#timer = setInterval(() => this.look(), everyMs).unref()
  }

  /** Notes the counts of the moment; what is older than the span is forgotten, but for one. */
  look(): void {
    const atMs = this.#now()
    this.#looks.push({ atMs, totals: this.#totals() })
    while (this.#looks[1] && atMs - this.#looks[1].atMs >= spanMs) this.#looks.shift()
  }

  /** By name, a second; what was not there at the beginning of the span began at 0. */
  rates(): Totals {
    const [first] = this.#looks
    const seconds = first ? (this.#now() - first.atMs) / 1000 : 0
    const rate = (name: string, total: number) => (seconds > 0 ? Math.max(0, total - (first?.totals[name] ?? 0)) / seconds : 0)
    return Object.fromEntries(Object.entries(this.#totals()).map(([name, total]) => [name, rate(name, total)]))
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
