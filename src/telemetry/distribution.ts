/** One measured value and the trace it belongs to: the way from a slow bucket to a page that was slow. */
export interface Exemplar {
  readonly traceId: string
  readonly value: number
  /** Milliseconds since 1970. */
  readonly atMs: number
}

/** Upper bounds of the buckets, ascending; a last bucket without bound is always there. */
export const bounds = {
  /** From a read of the store to an answer of minutes. */
  seconds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
  /** From one page on an idle system to a night's backlog. */
  waiting: [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400],
  pages: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  share: [0.1, 0.25, 0.5, 0.75, 0.9, 1],
} as const satisfies Readonly<Record<string, readonly number[]>>

/**
 * How values are spread: a classic histogram of Prometheus. Plain data that may cross threads, written by one and read by another; of each bucket the
 * last value that had a trace is kept, so it never grows.
 */
export class Distribution {
  readonly bounds: readonly number[]
  /** Values in each bucket, not cumulative; the last is that without bound. */
  readonly counts: number[]
  readonly exemplars: (Exemplar | undefined)[]
  count = 0
  sum = 0

  constructor(of: keyof typeof bounds) {
    this.bounds = bounds[of]
    this.counts = new Array<number>(this.bounds.length + 1).fill(0)
    this.exemplars = new Array<Exemplar | undefined>(this.bounds.length + 1).fill(undefined)
  }

  /** Values that are no number, as of a clock that was set back, count as 0. */
  observe(measured: number, traceId?: string): void {
    const value = Number.isFinite(measured) ? Math.max(0, measured) : 0
    const found = this.bounds.findIndex((bound) => value <= bound)
    const bucket = found < 0 ? this.bounds.length : found
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1
    this.count += 1
    this.sum += value
    if (traceId !== undefined) this.exemplars[bucket] = { traceId, value, atMs: Date.now() }
  }
}
