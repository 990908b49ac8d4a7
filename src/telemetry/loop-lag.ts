import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 20
const everyMs = 15_000

/** By how much timers were late, in seconds. */
export type LagSeconds = Readonly<Record<'p50' | 'p99' | 'max', number>>

/** Reads what a histogram of timers has gathered, which holds their whole interval. */
export function lagOf(delay: IntervalHistogram, resolution: number): LagSeconds {
  const lag = (nanoseconds: number) => Math.max(0, (Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : 0) - resolution) / 1000
  if (delay.count === 0) return { p50: 0, p99: 0, max: 0 }
  return { p50: lag(delay.percentile(50)), p99: lag(delay.percentile(99)), max: lag(delay.max) }
}

/** The lag of the event loop of this thread within the last whole quarter of a minute; before that, since it began. */
export class LoopLag implements Disposable {
  readonly #delay = monitorEventLoopDelay({ resolution: resolutionMs })
  readonly #timer: NodeJS.Timeout
  #last: LagSeconds | undefined

  constructor() {
    this.#delay.enable()
    this.#timer = setInterval(() => this.turn(), everyMs).unref()
  }

  get figures(): LagSeconds {
    return this.#last ?? lagOf(this.#delay, resolutionMs)
  }

  /** A quarter of a minute is over. */
  turn(): void {
    this.#last = lagOf(this.#delay, resolutionMs)
    this.#delay.reset()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#delay.disable()
  }
}
