import type { VlmFamily } from '../../../page-reader.ts'
import { sglangLoad } from '../load-names.ts'
import { type ChatBody, commonFields, penaltyFields, type Question, withUsage } from './chat-body.ts'
import { type Dialect, type DialectOptions, endMarksOf } from './dialect.ts'

/** The guard is a piece of the server's own code that the request carries: there is none unless one was configured. */
function guardOf({ ask }: Question, { logitProcessor }: DialectOptions): ChatBody {
  const guard = ask.decoding.noRepeat
  if (guard === undefined || logitProcessor === '') return {}
  return { custom_logit_processor: logitProcessor, custom_params: { ngram_size: guard.tokens, window_size: guard.window ?? ask.maxTokens } }
}

/** SGLang. It puts the mark of the picture itself, and ignores `vllm_xargs`: MinerU2.5 has the guard of the host alone. */
export function sglangDialect(family: VlmFamily, options: DialectOptions): Dialect {
  const pictures: ChatBody = family === 'unlimited-ocr' ? { images_config: { image_mode: 'gundam' } } : {}
  return {
    kind: 'sglang',
    endMarks: endMarksOf[family],
    load: sglangLoad,
    listsServedModel: true,
    tellsSlots: false,
    body: (question) => ({
      ...commonFields(question),
      ...withUsage,
      ...penaltyFields(question),
      top_k: question.ask.decoding.topK,
      repetition_penalty: question.ask.decoding.repetitionPenalty,
      skip_special_tokens: false,
      ...(question.pictureUrl === undefined ? {} : pictures),
      ...(family === 'unlimited-ocr' ? guardOf(question, options) : {}),
    }),
  }
}
