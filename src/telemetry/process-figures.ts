import { totalmem } from 'node:os'
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'

/** What is measured of the process itself. */
export interface ProcessFigures {
  readonly memoryBytes: Readonly<Record<'rss' | 'heap' | 'external', number>>
  /** What its container may use; undefined where nothing but the machine bounds it. */
  readonly memoryLimitBytes: number | undefined
  readonly cpuSeconds: number
  readonly startSeconds: number
  readonly lagSeconds: Readonly<Record<'p50' | 'p99' | 'max', number>>
}

const resolutionMs = 20

/** Control groups without a limit answer 0 or more than the machine has. */
function memoryLimit(): number | undefined {
  const bytes = process.constrainedMemory()
  return bytes > 0 && bytes < totalmem() ? bytes : undefined
}

/** Measures from when it is made; the lag is that since the last look. */
export class ProcessMeter implements Disposable {
  /** Asked once: a clock that is set or drifts does not start a process anew. */
  readonly #startSeconds = Date.now() / 1000 - process.uptime()
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: resolutionMs })

  constructor() {
    this.#delay.enable()
  }

  look(): ProcessFigures {
    const { rss, heapUsed: heap, external } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    // The histogram holds the whole interval of its timer, of which the resolution was asked for.
    const lag = (nanoseconds: number) => Math.max(0, (Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : 0) - resolutionMs) / 1000
    const lagSeconds = this.#delay.count === 0 ? { p50: 0, p99: 0, max: 0 } : this.#lags(lag)
    this.#delay.reset()
    const memory = { memoryBytes: { rss, heap, external }, memoryLimitBytes: memoryLimit() }
    return { ...memory, cpuSeconds: (user + system) / 1e6, startSeconds: this.#startSeconds, lagSeconds }
  }

  #lags(lag: (nanoseconds: number) => number) {
    return { p50: lag(this.#delay.percentile(50)), p99: lag(this.#delay.percentile(99)), max: lag(this.#delay.max) }
  }

  [Symbol.dispose](): void {
    this.#delay.disable()
  }
}
