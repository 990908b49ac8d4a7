import type { VlmFamily } from '../../../page-reader.ts'
import { lmdeployLoad } from '../load-names.ts'
import { type ChatBody, commonFields, type Question, withUsage } from './chat-body.ts'
import { type Dialect, endMarksOf } from './dialect.ts'

/** How often a run of tokens comes before the answer is ended: twice is honest in tables. */
const repeatsThatEnd = 3

/** LMDeploy bans no repetition, it ends the answer that repeats itself. */
function guardOf({ ask }: Question): ChatBody {
  const guard = ask.decoding.noRepeat
  return guard === undefined ? {} : { repetition_ngram_size: guard.tokens, repetition_ngram_threshold: repeatsThatEnd }
}

/** LMDeploy. Presence and frequency penalties are accepted and ignored, so they are not sent; without `max_tokens` it ends at 512. */
export function lmdeployDialect(family: VlmFamily): Dialect {
  return {
    kind: 'lmdeploy',
    endMarks: endMarksOf[family],
    load: lmdeployLoad,
    listsServedModel: true,
    tellsSlots: false,
    body: (question) => ({
      ...commonFields(question),
      ...withUsage,
      top_k: question.ask.decoding.topK,
      repetition_penalty: question.ask.decoding.repetitionPenalty,
      skip_special_tokens: false,
      ...guardOf(question),
    }),
  }
}
