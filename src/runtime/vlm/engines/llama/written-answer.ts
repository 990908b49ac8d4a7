import type { Decoding } from '../../engine.ts'
import type { LlamaFigures, LlamaQuestion } from './llama-protocol.ts'
import type { ReadPrompt } from './read-prompt.ts'

/** An answer that is being written in a sequence of its own. Positions keep counting whatever was dropped. */
export class WrittenAnswer {
  readonly id: number
  readonly place: number
  readonly sequence: number
  readonly decoding: Decoding
  readonly tokens: number[] = []
  /** Row of the library's scores that its next token is chosen from; -1: the last. */
  row = -1
  readonly #prompt: ReadPrompt
  readonly #promptMs: number
  readonly #mostTokens: number
  readonly #startedMs = performance.now()
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })

  constructor(question: LlamaQuestion, place: { readonly place: number; readonly sequence: number }, prompt: ReadPrompt & { ms: number; room: number }) {
    this.id = question.id
    this.place = place.place
    this.sequence = place.sequence
    this.decoding = question.decoding
    this.#prompt = prompt
    this.#promptMs = prompt.ms
    this.#mostTokens = Math.min(question.maxTokens, prompt.room)
  }

  /** Adds a token; answers with the characters that it completes. */
  write(token: number, bytes: Uint8Array): string {
    this.tokens.push(token)
    return this.#decoder.decode(bytes, { stream: true })
  }

  /** What is left of a character that was never completed. */
  rest(): string {
    return this.#decoder.decode()
  }

  get full(): boolean {
    return this.tokens.length >= this.#mostTokens
  }

  /** Position of the token that was written last. */
  get position(): number {
    return this.#prompt.next + this.tokens.length - 1
  }

  /** Position that the last token pushes out of a window of so many written tokens; undefined while there is room. */
  pushedOut(window: number): number | undefined {
    return window > 0 && this.tokens.length > window ? this.position - window : undefined
  }

  figures(finish: LlamaFigures['finish']): LlamaFigures {
    const { tokens: promptTokens } = this.#prompt
    return { finish, promptTokens, outputTokens: this.tokens.length, promptMs: this.#promptMs, writeMs: performance.now() - this.#startedMs }
  }
}
