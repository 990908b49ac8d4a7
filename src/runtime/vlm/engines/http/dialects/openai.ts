import type { VlmFamily } from '../../../page-reader.ts'
import { commonFields, penaltyFields, withUsage } from './chat-body.ts'
import { type Dialect, endMarksOf } from './dialect.ts'

/** The protocol as it is, for servers that refuse what they do not know: no guard, no repetition penalty, no word on special tokens. */
export function openaiDialect(family: VlmFamily): Dialect {
  return {
    kind: 'openai',
    endMarks: endMarksOf[family],
    load: undefined,
    listsServedModel: true,
    tellsSlots: false,
    body: (question) => ({ ...commonFields(question), ...withUsage, ...penaltyFields(question) }),
  }
}
