import type { VlmEngine } from '../../engine.ts'

const [firstPauseMs, longestPauseMs] = [500, 30_000]

/** One of several servers, and how it fares. */
export class Replica {
  readonly engine: VlmEngine
  inFlight = 0
  #failures = 0
  #downUntil: number | undefined
  #reviving: Promise<void> | undefined

  constructor(engine: VlmEngine) {
    this.engine = engine
  }

  get isUp(): boolean {
    return this.#downUntil === undefined
  }

  /** The share of its slots that would be in use with one question more. */
  get pressure(): number {
    return (this.inFlight + 1) / Math.max(1, this.engine.slots)
  }

  /** It was found away: it is left alone for a while, longer each time, and never in step with others. */
  down(now: number, random: () => number): void {
    if (!this.isUp && now < (this.#downUntil ?? 0)) return
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** this.#failures)
    this.#failures = Math.min(this.#failures + 1, 16)
    this.#downUntil = now + pauseMs * (0.5 + random() / 2)
  }

  up(): void {
    this.#failures = 0
    this.#downUntil = undefined
  }

  isDue(now: number): boolean {
    return this.#downUntil !== undefined && now >= this.#downUntil
  }

  /** Looks whether it is there again. One look at a time, for all who wait for it. Never rejects. */
  revive(now: () => number, random: () => number, timeoutMs: number): Promise<void> {
    this.#reviving ??= this.engine
      .start(AbortSignal.timeout(timeoutMs))
      .then(
        () => this.up(),
        () => this.down(now(), random),
      )
      .finally(() => {
        this.#reviving = undefined
      })
    return this.#reviving
  }
}
