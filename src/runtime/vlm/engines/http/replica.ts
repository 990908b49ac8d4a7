import type { VlmEngine } from '../../engine.ts'

const [firstPauseMs, longestPauseMs] = [500, 30_000]

/** Questions in a row that a server may break down over: more is no fault of theirs. */
const mostBreakdowns = 3

/** One of several servers, and how it fares. */
export class Replica {
  readonly engine: VlmEngine
  inFlight = 0
  #failures = 0
  #breakdowns = 0
  #downUntil: number | undefined
  #reviving: Promise<void> | undefined

  constructor(engine: VlmEngine) {
    this.engine = engine
  }

  get isUp(): boolean {
    return this.#downUntil === undefined
  }

  /** The share of its slots that would be in use with one question more. One that breaks down is done soon, and would be the least busy of all. */
  get pressure(): number {
    return ((this.inFlight + 1) * (1 + this.#breakdowns)) / Math.max(1, this.engine.slots)
  }

  /** It was found away: it is left alone for a while, longer each time, and never in step with others. */
  down(now: number, random: () => number): void {
    if (!this.isUp && now < (this.#downUntil ?? 0)) return
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** this.#failures)
    this.#failures = Math.min(this.#failures + 1, 16)
    this.#downUntil = now + pauseMs * (0.5 + random() / 2)
  }

  /** It can be asked; how long it is left alone the next time is forgotten when it has answered. */
  up(): void {
    this.#downUntil = undefined
  }

  answered(): void {
    this.#failures = 0
    this.#breakdowns = 0
  }

  /** It has broken down over a question. One that does nothing else is left alone: it would take all questions, and fail them. */
  broke(now: number, random: () => number): void {
    this.#breakdowns = Math.min(this.#breakdowns + 1, mostBreakdowns)
    if (this.#breakdowns === mostBreakdowns) this.down(now, random)
  }

  isDue(now: number): boolean {
    return this.#downUntil !== undefined && now >= this.#downUntil
  }

  /** Looks whether it is there again, with this model. One look at a time, for all who wait for it. Never rejects. */
  revive(model: string, now: () => number, random: () => number, timeoutMs: number): Promise<void> {
    this.#reviving ??= this.engine
      .start(AbortSignal.timeout(timeoutMs))
      .then(
        () => (this.engine.model === model ? this.up() : this.down(now(), random)),
        () => this.down(now(), random),
      )
      .finally(() => {
        this.#reviving = undefined
      })
    return this.#reviving
  }
}
