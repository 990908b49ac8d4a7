import type { ModelUsage } from '../../../schema/model-usage.ts'
import type { Answer } from '../engine.ts'
import type { Asker } from './asker.ts'

/** The same asker, whose answers somebody hears of. `finish` is the engine's; one that the host ended is `stopped`. */
export function heardAsker(asker: Pick<Asker, 'ask'>, onAnswer: ((usage: ModelUsage) => void) | undefined): Pick<Asker, 'ask'> {
  if (!onAnswer) return asker
  return {
    async ask(ask, options) {
      const answer = await asker.ask(ask, options)
      onAnswer(usageOf(answer))
      return answer
    },
  }
}

function usageOf({ finish, tries = 1, promptTokens, outputTokens, firstTokenMs, totalMs }: Answer): ModelUsage {
  const ends = { stop: 0, length: 0, stopped: 0, [finish]: 1 }
  return { ...ends, sent: tries, promptTokens, outputTokens, firstTokenMs: Math.round(firstTokenMs), answerMs: Math.round(totalMs) }
}
