import type { EngineKind } from '../../../../../config/vlm-config.ts'
import type { VlmFamily } from '../../../page-reader.ts'
import type { LoadNames } from '../load-names.ts'
import type { ChatBody, Question } from './chat-body.ts'

/** Kinds of servers that are spoken to over HTTP. */
export type ServerKind = Exclude<EngineKind, 'llama-cpp'>

export interface DialectOptions {
  /**
   * For SGLang: a serialised logit processor, as a client of the same version of SGLang writes it into `custom_logit_processor`. Empty: none is sent,
   * and loops are left to the host.
   */
  readonly logitProcessor: string
}

/** How one kind of server is told what one family of models needs. */
export interface Dialect {
  readonly kind: ServerKind
  /** The whole body of a question. Fields that the server ignores or refuses are left out. */
  body(question: Question): ChatBody
  /** Literals with which answers end where special tokens are kept: one of them is cut off, once. */
  readonly endMarks: readonly string[]
  /** What says how busy the server is; undefined where it has no metrics. */
  readonly load: LoadNames | undefined
  /** Whether the list of models holds what is served. Others list what lies on their disk, and load what they are asked for. */
  readonly listsServedModel: boolean
  /** Whether `GET /props` tells the slots. */
  readonly tellsSlots: boolean
}

/** What a family's models end their answers with. */
export const endMarksOf: Readonly<Record<VlmFamily, readonly string[]>> = {
  'mineru2.5': ['<|im_end|>', '<|endoftext|>'],
  teleocr: ['<|im_end|>', '<|endoftext|>'],
  // Full-width bars U+FF5C and blocks U+2581, as in the vocabulary of the model; a chat template may end its turn with the other.
  'unlimited-ocr': ['<\uff5cend\u2581of\u2581sentence\uff5c>', '<|im_end|>'],
}
