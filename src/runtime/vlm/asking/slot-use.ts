import type { VlmCounters } from '../../../telemetry/vlm-counters.ts'
import type { Answer } from '../engine.ts'
import type { Clock } from './clock.ts'

/** What is under way, and the books of it. */
export class SlotUse {
  readonly #counters: VlmCounters
  readonly #clock: Clock
  #countedAt: number
  #questions = 0
  #tokens = 0

  constructor(counters: VlmCounters, clock: Clock) {
    this.#counters = counters
    this.#clock = clock
    this.#countedAt = clock.now()
  }

  get questions(): number {
    return this.#questions
  }

  /** Of prompts and answers, as they were expected. */
  get tokens(): number {
    return this.#tokens
  }

  begin(tokens: number): void {
    this.#count()
    this.#questions += 1
    this.#tokens += tokens
    this.#counters.asked += 1
  }

  end(tokens: number): void {
    this.#count()
    this.#questions -= 1
    this.#tokens -= tokens
  }

  /** `imageTokens`: of the prompt, those of its picture as they are reckoned; not counted where the engine has not told the prompt. */
  answered({ finish, promptTokens, outputTokens, firstTokenMs, totalMs }: Answer, imageTokens: number): void {
    this.#counters.answered[finish] += 1
    this.#counters.promptTokens += promptTokens
    this.#counters.imageTokens += Math.min(imageTokens, promptTokens)
    this.#counters.outputTokens += outputTokens
    this.#counters.firstTokenSeconds.observe(firstTokenMs / 1000)
    this.#counters.answerSeconds.observe(totalMs / 1000)
  }

  /** Brings times and gauges up to now. */
  show(slots: number, slotsAllowed: number, waiting: number): void {
    this.#count()
    Object.assign(this.#counters, { slots, slotsAllowed, slotsUsed: this.#questions, waiting })
  }

  #count(): void {
    const now = this.#clock.now()
    const seconds = (now - this.#countedAt) / 1000
    this.#countedAt = now
    if (this.#questions > 0) this.#counters.busySeconds += seconds
    this.#counters.slotSeconds += seconds * this.#questions
  }
}
