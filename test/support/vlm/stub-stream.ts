import type { ServerResponse } from 'node:http'
import type { StubFault, StubKind } from './stub-options.ts'

export interface StreamEnd {
  readonly finish: string
  readonly promptTokens: number
  readonly outputTokens: number
}

/** How an answer is written: streamed, or whole. */
export interface StubAnswerWriter {
  open(): void
  piece(content: string): void
  /** Bytes as they are, valid or not. */
  raw(bytes: string | Buffer): void
  end(end: StreamEnd): void
}

export interface StubStreamOptions {
  readonly kind: StubKind
  readonly model: string
  readonly includeUsage: boolean
  readonly fault: StubFault | undefined
  readonly comments: boolean
}

/** Writes one streamed answer as its kind of server does: role first, pieces, the reason of the end, counts. */
export class StubStream implements StubAnswerWriter {
  readonly #response: ServerResponse
  readonly #options: StubStreamOptions
  readonly #id = `chatcmpl-${Math.random().toString(36).slice(2)}`
  readonly #created = Math.floor(Date.now() / 1000)
  #isOpen = false

  constructor(response: ServerResponse, options: StubStreamOptions) {
    this.#response = response
    this.#options = options
  }

  /** Head and first event. */
  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    this.#response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
    if (this.#options.comments) this.#response.write(': waiting\n\n:\n\n')
    this.#event({ delta: { role: 'assistant', content: this.#options.kind === 'llama-server' ? null : '' }, finish_reason: null })
  }

  piece(content: string): void {
    this.open()
    this.#event({ delta: { content }, finish_reason: null })
  }

  raw(bytes: string | Buffer): void {
    this.open()
    this.#response.write(bytes)
  }

  end({ finish, promptTokens, outputTokens }: StreamEnd): void {
    this.open()
    const { kind, includeUsage, fault } = this.#options
    const tells = fault?.kind !== 'no-usage'
    const usage = { prompt_tokens: promptTokens, completion_tokens: outputTokens, total_tokens: promptTokens + outputTokens }
    const reason = fault?.kind === 'finish' ? fault.reason : finish
    if (kind === 'transformers') {
      this.#event({ delta: {}, finish_reason: reason }, tells ? { usage } : {})
      this.#response.end()
      return
    }
    this.#event({ delta: {}, finish_reason: reason })
    if (tells && kind === 'mlx') this.#chunk([], { usage: { input_tokens: promptTokens, output_tokens: outputTokens } })
    else if (tells && includeUsage) this.#chunk([], { usage })
    this.#response.end('data: [DONE]\n\n')
  }

  #event(choice: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>> = {}): void {
    this.#chunk([{ index: 0, ...choice }], more)
  }

  #chunk(choices: readonly unknown[], more: Readonly<Record<string, unknown>>): void {
    const chunk = { id: this.#id, object: 'chat.completion.chunk', created: this.#created, model: this.#options.model, choices, ...more }
    this.#response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
}
