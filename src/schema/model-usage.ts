import { z } from 'zod'

const count = z.number().int().nonnegative()

/** What answers of a model took: of one, or of several added up. Questions that never got an answer are not in it. */
export const modelUsageSchema = z.object({
  stop: count.describe('Answers that ended by themselves'),
  length: count.describe('Answers that were cut at their limit of tokens'),
  stopped: count.describe('Answers that a guard ended, as they ran in circles'),
  sent: count.describe('How often the questions were sent until they were answered'),
  promptTokens: count.describe('As the engine counts, pictures included; 0 of an answer for which it has not told'),
  outputTokens: count.describe('As the engine counts'),
  firstTokenMs: count.describe('From the question to the first token, summed over the answers'),
  answerMs: count.describe('From the question to the end, summed over the answers: they may run side by side'),
})
export type ModelUsage = Readonly<z.infer<typeof modelUsageSchema>>

/** Undefined where there is none at all. */
export function sumOfUsage(usages: Iterable<ModelUsage | undefined>): ModelUsage | undefined {
  let sum: ModelUsage | undefined
  for (const each of usages) {
    if (!each) continue
    sum = sum
      ? {
          ...{ stop: sum.stop + each.stop, length: sum.length + each.length, stopped: sum.stopped + each.stopped, sent: sum.sent + each.sent },
          ...{ promptTokens: sum.promptTokens + each.promptTokens, outputTokens: sum.outputTokens + each.outputTokens },
          ...{ firstTokenMs: sum.firstTokenMs + each.firstTokenMs, answerMs: sum.answerMs + each.answerMs },
        }
      : each
  }
  return sum
}
