import type { VlmFamily } from '../../../page-reader.ts'
import { commonFields, type Question } from './chat-body.ts'
import { type Dialect, endMarksOf } from './dialect.ts'

/** What generation is told, as JSON within the JSON. A ban with a window has no field: without the window it would ban honest repetition. */
function generationConfig({ ask: { decoding, maxTokens } }: Question): string {
  const guard = decoding.noRepeat
  const sampling = decoding.temperature === 0 ? { do_sample: false } : { do_sample: true, temperature: decoding.temperature, top_p: decoding.topP }
  return JSON.stringify({
    max_new_tokens: maxTokens,
    ...sampling,
    top_k: decoding.topK,
    repetition_penalty: decoding.repetitionPenalty,
    ...(guard === undefined || guard.window !== undefined ? {} : { no_repeat_ngram_size: guard.tokens }),
  })
}

/**
 * `transformers serve`. It refuses fields that it does not use, `stream_options` and `presence_penalty` among them, and reads `frequency_penalty` as one
 * of repetition; it tells the tokens unasked.
 */
export function transformersDialect(family: VlmFamily): Dialect {
  return {
    kind: 'transformers',
    endMarks: endMarksOf[family],
    load: undefined,
    listsServedModel: false,
    tellsSlots: false,
    body: (question) => ({ ...commonFields(question), generation_config: generationConfig(question) }),
  }
}
