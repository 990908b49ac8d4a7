import type { FailureCode } from '../schema/failure.ts'
import { Distribution } from './distribution.ts'

/** How answers end: by themselves, at their limit of tokens, or because a guard stopped them. */
export const answerFinishes = ['stop', 'length', 'stopped'] as const
export type AnswerFinish = (typeof answerFinishes)[number]

/** What was asked of a vision-language model, and how busy it was. Only ever grow, but for the gauges; exporters read them. */
export class VlmCounters {
  /** Questions that were sent; those of retries too. */
  asked = 0
  readonly answered: Record<AnswerFinish, number> = { stop: 0, length: 0, stopped: 0 }
  /** Questions that have failed for good, by code. */
  readonly failed: Partial<Record<FailureCode, number>> = {}
  /** Questions that were sent again. */
  retries = 0
  promptTokens = 0
  /** Of these, tokens of pictures, as the family's formula gives them. */
  imageTokens = 0
  outputTokens = 0
  /** From the question to the first token of its answer, and to the end. */
  readonly firstTokenSeconds = new Distribution('seconds')
  readonly answerSeconds = new Distribution('seconds')
  /** Time with at least one question under way, and the sum of the times of all questions under way. */
  busySeconds = 0
  slotSeconds = 0
  /** Gauges: slots that may be used at the moment, of those that the engine has, and questions under way and waiting. */
  slots = 0
  slotsAllowed = 0
  slotsUsed = 0
  waiting = 0
  /** Times that the engine fell and was started again: a library's process that the lane minds. */
  restarts = 0
  /** The engine has not been reached for a while: questions wait for it. */
  isAway = false

  fail(code: FailureCode): void {
    this.failed[code] = (this.failed[code] ?? 0) + 1
  }
}
