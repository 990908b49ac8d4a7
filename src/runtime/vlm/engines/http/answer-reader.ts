import { PagestreamError } from '../../../../schema/failure.ts'
import type { Answer, AskOptions } from '../../engine.ts'
import { AnswerEnding } from './answer-ending.ts'
import { chatChunkSchema, jsonOf, serverErrorOf } from './chat-chunk.ts'
import { refusalOf } from './refusal.ts'
import { SseParser } from './sse-parser.ts'

const reading = 'reading the answer of the engine'
/** Characters of an answer, whatever limit of tokens was asked for. */
const mostCharacters = 4 << 20

export interface ReaderOptions {
  readonly maxTokens: number
  readonly endMarks: readonly string[]
  readonly address: string
  readonly listen: AskOptions['listen']
}

/** What an answer is, but for its times. */
export type ReadAnswer = Omit<Answer, 'firstTokenMs' | 'totalMs'>

/** By itself, at its limit, or ended by a server that bans loops. */
const finishes: Readonly<Record<string, Answer['finish']>> = {
  stop: 'stop',
  eos: 'stop',
  length: 'length',
  max_tokens: 'length',
  repetition: 'stopped',
  repetition_detected: 'stopped',
}

function finishOf(reason: string): Answer['finish'] {
  const finish = finishes[reason]
  if (finish !== undefined) return finish
  if (reason === 'abort' || reason === 'error') throw new PagestreamError('engine-failed', `${reading}: the server gave up in the middle`)
  throw new PagestreamError('answer-invalid', `${reading}: it ended for a reason that is none of a reading`)
}

/**
 * Reads a streamed chat (OpenAI's `chat.completion.chunk`) from its bytes. Ends by itself where a server keeps no limit of tokens: each piece is at least
 * one token. Throws the failures of `VlmEngine.ask`.
 */
export class AnswerReader {
  readonly #options: ReaderOptions
  readonly #events = new SseParser((data) => this.#event(data))
  readonly #ending: AnswerEnding
  #text = ''
  #pieces = 0
  #finish: Answer['finish'] | undefined
  #usage: { promptTokens: number; outputTokens: number | undefined } | undefined
  #isDone = false
  #isStopped = false

  constructor(options: ReaderOptions) {
    this.#options = options
    this.#ending = new AnswerEnding(options.endMarks)
  }

  /** Pieces of text that have come. */
  get pieces(): number {
    return this.#pieces
  }

  /** The model has come to an end: only counts can be missing. */
  get hasFinished(): boolean {
    return this.#finish !== undefined
  }

  /** The stream says that it is over. */
  get isDone(): boolean {
    return this.#isDone
  }

  /** Nobody wants to hear more of it, though it goes on. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  push(chunk: Buffer): void {
    this.#events.push(chunk)
  }

  /** The connection has ended in order. */
  end(): void {
    this.#events.end()
  }

  /** Throws `engine-unreachable` where the stream ended before the answer did. */
  answer(): ReadAnswer {
    const finish = this.#finish
    if (finish === undefined) throw new PagestreamError('engine-unreachable', `${reading}: ${this.#options.address} cut it in the middle`)
    return { text: this.#text, finish, promptTokens: this.#usage?.promptTokens ?? 0, outputTokens: this.#usage?.outputTokens ?? this.#pieces }
  }

  #event(data: string): void {
    if (this.#isDone || this.#isStopped) return
    if (data === '[DONE]') this.#done()
    else this.#chunk(data)
  }

  #chunk(data: string): void {
    const { success, data: chunk } = chatChunkSchema.safeParse(jsonOf(data))
    if (!success || chunk.choices === undefined) throw this.#broken(data)
    const [choice] = chunk.choices
    if (chunk.usage) this.#usage = chunk.usage
    if (choice?.delta?.content) this.#piece(choice.delta.content)
    if (choice?.finish_reason && this.#finish === undefined) this.#finished(finishOf(choice.finish_reason))
  }

  /** An event without choices: the server says what went wrong, or talks of something else. */
  #broken(data: string): PagestreamError {
    const error = serverErrorOf(jsonOf(data))
    if (error === undefined) return new PagestreamError('answer-invalid', `${reading}: an event of the stream is no piece of a chat`)
    return refusalOf(reading, { status: error.status ?? 500, contentType: 'application/json', body: data, address: this.#options.address })
  }

  #done(): void {
    if (this.#finish === undefined) throw new PagestreamError('answer-invalid', `${reading}: the stream says that it is done and not why`)
    this.#isDone = true
  }

  #finished(finish: Answer['finish']): void {
    this.#finish = finish
    this.#give(this.#ending.end())
  }

  #piece(piece: string): void {
    if (this.#finish !== undefined) return
    this.#pieces += 1
    this.#give(this.#ending.push(piece))
    if (this.#finish === undefined && (this.#pieces > this.#options.maxTokens || this.#text.length > mostCharacters)) this.#stop('length')
  }

  #give(text: string): void {
    if (text === '') return
    this.#text += text
    if (this.#options.listen?.(text) === 'enough') this.#stop('stopped')
  }

  #stop(finish: Answer['finish']): void {
    this.#finish = finish
    this.#isStopped = true
  }
}
