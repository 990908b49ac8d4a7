import { totalmem } from 'node:os'
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { restartsOfEnvironment } from '../config/process-environment.ts'
import { type LagSeconds, lagOf } from './loop-lag.ts'

/** What is measured of the process itself. */
export interface ProcessFigures {
  readonly memoryBytes: Readonly<Record<'rss' | 'heap' | 'external', number>>
  /** What its container may use; undefined where nothing but the machine bounds it. */
  readonly memoryLimitBytes: number | undefined
  readonly cpuSeconds: number
  readonly startSeconds: number
  /** How often whoever minds the process has started it again; undefined where nobody does. */
  readonly restarts: number | undefined
  readonly lagSeconds: LagSeconds
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
  readonly startSeconds = Date.now() / 1000 - process.uptime()
  /** As in `ProcessFigures`. */
  readonly restarts = restartsOfEnvironment()
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: resolutionMs })

  constructor() {
    this.#delay.enable()
  }

  look(): ProcessFigures {
    const { rss, heapUsed: heap, external } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const lagSeconds = lagOf(this.#delay, resolutionMs)
    this.#delay.reset()
    const memory = { memoryBytes: { rss, heap, external }, memoryLimitBytes: memoryLimit() }
    return { ...memory, cpuSeconds: (user + system) / 1e6, startSeconds: this.startSeconds, restarts: this.restarts, lagSeconds }
  }

  [Symbol.dispose](): void {
    this.#delay.disable()
  }
}
