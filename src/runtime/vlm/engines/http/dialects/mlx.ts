import type { VlmFamily } from '../../../page-reader.ts'
import { commonFields, withUsage } from './chat-body.ts'
import { type Dialect, endMarksOf } from './dialect.ts'

/** `mlx_vlm.server`. It keeps special tokens, lists the models of its disk and loads the one that it is asked for. No guard, no metrics. */
export function mlxDialect(family: VlmFamily): Dialect {
  return {
    kind: 'mlx',
    endMarks: endMarksOf[family],
    load: undefined,
    listsServedModel: false,
    tellsSlots: false,
    body: (question) => ({
      ...commonFields(question),
      ...withUsage,
      top_k: question.ask.decoding.topK,
      repetition_penalty: question.ask.decoding.repetitionPenalty,
    }),
  }
}
