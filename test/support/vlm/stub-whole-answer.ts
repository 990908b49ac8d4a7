import type { ServerResponse } from 'node:http'
import type { StreamEnd, StubAnswerWriter } from './stub-stream.ts'

/** An answer to a question that does not ask for a stream: nothing is sent before all is written. */
export class StubWholeAnswer implements StubAnswerWriter {
  readonly #response: ServerResponse
  readonly #model: string
  #text = ''

  constructor(response: ServerResponse, model: string) {
    this.#response = response
    this.#model = model
  }

  open(): void {}

  piece(content: string): void {
    this.#text += content
  }

  raw(bytes: string | Buffer): void {
    this.#response.write(bytes)
  }

  end({ finish, promptTokens, outputTokens }: StreamEnd): void {
    this.#response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        ...{ id: 'chatcmpl-stub', object: 'chat.completion', created: Math.floor(Date.now() / 1000), model: this.#model },
        choices: [{ index: 0, message: { role: 'assistant', content: this.#text }, finish_reason: finish }],
        usage: { prompt_tokens: promptTokens, completion_tokens: outputTokens, total_tokens: promptTokens + outputTokens },
      }),
    )
  }
}
