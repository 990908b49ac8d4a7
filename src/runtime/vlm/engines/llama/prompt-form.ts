import { PagestreamError } from '../../../../schema/failure.ts'

/** A prompt as it is tokenised: control tokens are read in `before` and `after` only, never in `words`, which may hold text of a document. */
export interface PromptParts {
  /** Up to the picture. */
  readonly before: string
  readonly words: string
  readonly after: string
}

/** How models of an architecture are asked. */
export interface PromptForm {
  parts(system: string | undefined, prompt: string): PromptParts
  /** What libmtmd puts behind a picture is of the model's own form. */
  readonly keepsTail: boolean
  /** Written tokens that see each other, beside the whole prompt, in the model's training; 0: all. */
  readonly window: number
  /** Most tokens of a picture; 0: as the model has it. */
  readonly imageTokens: number
  /** Places for tokens that an answer needs: prompt, and answer where there is no window. */
  readonly cells: number
}

/** The chat form of Qwen: the system's words that stand here are those of its own template. */
const chatMl: PromptForm = {
  parts: (system = 'You are a helpful assistant.', words) => ({
    before: `<|im_start|>system\n${system}<|im_end|>\n<|im_start|>user\n`,
    words,
    after: '<|im_end|>\n<|im_start|>assistant\n',
  }),
  keepsTail: true,
  window: 0,
  imageTokens: 2048,
  cells: 8192,
}

/**
 * Unlimited-OCR: start of text, picture, instruction; no roles and nothing between them. libmtmd ends each picture with a newline that the
 * model was not trained on: it is left out. The longest prompt is a wide slide, some 3120 tokens.
 */
const bare: PromptForm = {
  parts: (_system, words) => ({ before: '', words, after: '' }),
  keepsTail: false,
  window: 128,
  imageTokens: 0,
  cells: 3328,
}

const forms: Readonly<Record<string, PromptForm>> = { qwen2vl: chatMl, 'deepseek2-ocr': bare }

/** Throws `engine-refused` for an architecture that it does not know how to ask. */
export function promptForm(architecture: string): PromptForm {
  const form = Object.hasOwn(forms, architecture) ? forms[architecture] : undefined
  if (form) return form
  const named = /^[\w.-]{1,40}$/.test(architecture) ? architecture : 'without a name'
  throw new PagestreamError('engine-refused', `loading the model: its architecture ${named} is none of ${Object.keys(forms).join(', ')}`)
}
