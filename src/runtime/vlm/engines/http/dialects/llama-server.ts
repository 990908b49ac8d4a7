import type { VlmFamily } from '../../../page-reader.ts'
import { llamaServerLoad } from '../load-names.ts'
import { type ChatBody, commonFields, penaltyFields, type Question, withUsage } from './chat-body.ts'
import { type Dialect, endMarksOf } from './dialect.ts'

/**
 * The server has no ban of repeated runs; its DRY sampler comes near: past the allowed length the penalty grows by 1.75 a token, which is decisive after
 * about five. Its default breakers (newline, colon, quote, star) would defeat that, and an empty list is refused: a character that no answer holds.
 */
const drySampler = { dry_multiplier: 0.8, dry_base: 1.75, dry_sequence_breakers: ['\u0001'] }
const leastDryWindow = 1024

function guardOf({ ask }: Question): ChatBody {
  const guard = ask.decoding.noRepeat
  if (guard === undefined) return {}
  return { ...drySampler, dry_allowed_length: guard.tokens, dry_penalty_last_n: guard.window ?? Math.max(leastDryWindow, guard.tokens * 2) }
}

/**
 * llama-server. Special tokens are kept by its flag `--special` alone. `cache_prompt` off: a prompt found in the cache may be answered otherwise than a
 * fresh one.
 */
export function llamaServerDialect(family: VlmFamily): Dialect {
  return {
    kind: 'llama-server',
    endMarks: endMarksOf[family],
    load: llamaServerLoad,
    listsServedModel: true,
    tellsSlots: true,
    body: (question) => ({
      ...commonFields(question),
      ...withUsage,
      ...penaltyFields(question),
      top_k: question.ask.decoding.topK,
      repeat_penalty: question.ask.decoding.repetitionPenalty,
      cache_prompt: false,
      ...guardOf(question),
    }),
  }
}
