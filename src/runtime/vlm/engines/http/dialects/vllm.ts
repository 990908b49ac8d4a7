import type { VlmFamily } from '../../../page-reader.ts'
import { vllmLoad } from '../load-names.ts'
import { type ChatBody, commonFields, penaltyFields, plainWording, type Question, type Wording, withUsage } from './chat-body.ts'
import { type Dialect, endMarksOf } from './dialect.ts'

/** The literal mark of the picture comes first: the template of Unlimited-OCR in vLLM puts none. */
const markedWording: Wording = { pictureFirst: false, before: '<image>' }

/** What the logits processor of the family reads. Booleans are not allowed here. */
function guardOf(family: VlmFamily, { ask }: Question): ChatBody {
  const guard = ask.decoding.noRepeat
  if (guard === undefined) return {}
  if (family !== 'unlimited-ocr') return { vllm_xargs: { no_repeat_ngram_size: guard.tokens } }
  // Without a window the processor takes 100.
  return { vllm_xargs: { ngram_size: guard.tokens, window_size: guard.window ?? ask.maxTokens } }
}

/** vLLM, with the logits processor of the family registered. `repetition_penalty` is always said: the repository of a model may have another. */
export function vllmDialect(family: VlmFamily): Dialect {
  const wording = family === 'unlimited-ocr' ? markedWording : plainWording
  return {
    kind: 'vllm',
    endMarks: endMarksOf[family],
    load: vllmLoad,
    listsServedModel: true,
    tellsSlots: false,
    body: (question) => ({
      ...commonFields(question, wording),
      ...withUsage,
      ...penaltyFields(question),
      top_k: question.ask.decoding.topK,
      repetition_penalty: question.ask.decoding.repetitionPenalty,
      skip_special_tokens: false,
      ...guardOf(family, question),
    }),
  }
}
