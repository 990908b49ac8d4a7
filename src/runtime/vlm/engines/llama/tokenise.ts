import { PagestreamError } from '../../../../schema/failure.ts'
import type { LoadedModel } from './loaded-model.ts'

export interface TokeniseOptions {
  /** Names of control tokens are read as those: never for text that may come from a document. */
  readonly control: boolean
  /** The start of text goes before, where the model has one. */
  readonly start: boolean
}

/** Tokens of a text. Throws `picture-refused` where the library makes none of it. */
export function tokenise(model: LoadedModel, text: string, { control, start }: TokeniseOptions): Int32Array {
  const { llama } = model.library
  const bytes = Buffer.from(text, 'utf8')
  // No token is shorter than a byte, but for those that are put before and behind.
  const tokens = new Int32Array(bytes.length + 8)
  const count = llama.llama_tokenize(model.vocabulary, bytes, bytes.length, tokens, tokens.length, start, control)
  if (count < 0) throw new PagestreamError('picture-refused', 'reading the prompt: the library makes no tokens of it')
  return tokens.subarray(0, count)
}

/** The bytes of tokens; control tokens are written as their names, for they mark the layout. A character may lie in several tokens. */
export class TokenPieces {
  readonly #model: LoadedModel
  #buffer = Buffer.alloc(256)

  constructor(model: LoadedModel) {
    this.#model = model
  }

  /** Valid until the next call. */
  bytesOf(token: number): Uint8Array {
    const { library, vocabulary } = this.#model
    const convert = (): number => library.llama.llama_token_to_piece(vocabulary, token, this.#buffer, this.#buffer.length, 0, true)
    let length = convert()
    if (length < 0) {
      this.#buffer = Buffer.alloc(-length)
      length = convert()
    }
    return this.#buffer.subarray(0, Math.max(0, length))
  }
}

/** Tokens that end an answer. */
export function endTokens({ library, vocabulary, vocabularySize }: LoadedModel): ReadonlySet<number> {
  const ends = new Set<number>()
  for (let token = 0; token < vocabularySize; token++) if (library.llama.llama_vocab_is_eog(vocabulary, token)) ends.add(token)
  return ends
}
