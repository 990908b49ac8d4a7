import { PagestreamError } from '../../../../schema/failure.ts'
import type { Answer, Ask, AskOptions } from '../../engine.ts'
import { AnswerReader, type ReadAnswer } from './answer-reader.ts'
import type { Dialect } from './dialects/dialect.ts'
import { encodeQuestion } from './encode-question.ts'
import type { Exchange, ExchangeListener } from './exchange.ts'
import type { HttpServer } from './http-server.ts'
import { refusalOf } from './refusal.ts'
import { transportFailure } from './transport-failure.ts'

const asking = 'asking the engine'
const chatPath = '/v1/chat/completions'
/** A connection that stays open when its stream says that it is over … */
const lingerMs = 1000
/** … and a stream that does not say so when the answer has ended: only counts are to come. */
const countsMs = 5000
/** Of a body that is no answer. */
const mostRefusalBytes = 64 << 10

export interface AskTimes {
  readonly timeoutMs: number
  readonly silenceMs: number
}

/** One question on its way: its stream, its times and what was heard so far. */
class OpenQuestion implements ExchangeListener {
  readonly #reader: AnswerReader
  readonly #server: HttpServer
  readonly #times: AskTimes
  readonly #begunAt = performance.now()
  #exchange: Exchange | undefined
  #head: { readonly status: number; readonly contentType: string } | undefined
  readonly #refusal: Buffer[] = []
  #refusalBytes = 0
  #firstTokenAt: number | undefined
  #silence: NodeJS.Timeout | undefined

  constructor(server: HttpServer, reader: AnswerReader, times: AskTimes) {
    this.#server = server
    this.#reader = reader
    this.#times = times
  }

  async run(body: Uint8Array, signal: AbortSignal | undefined): Promise<Answer> {
    const { timeoutMs } = this.#times
    const exchange = this.#server.post(chatPath, body, this)
    this.#exchange = exchange
    const cancel = () => exchange.end(new PagestreamError('cancelled', `${asking}: stopped`))
    const late = () => exchange.end(this.#late(`took longer than ${timeoutMs} ms (vlm.engine.timeoutMs)`))
    const timer = setTimeout(() => setImmediate(late), timeoutMs)
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      await exchange.done
      return this.#timed(this.#read())
    } catch (error) {
      // All is there but perhaps the counts.
      if (this.#reader.hasFinished && !signal?.aborted) return this.#timed(this.#reader.answer())
      throw transportFailure(asking, this.#server.address, error, this.#head !== undefined)
    } finally {
      clearTimeout(timer)
      clearTimeout(this.#silence)
      signal?.removeEventListener('abort', cancel)
    }
  }

  head(status: number, contentType: string): void {
    this.#head = { status, contentType }
  }

  data(chunk: Buffer): void {
    if (!this.#isStream()) {
      this.#refusal.push(chunk)
      this.#refusalBytes += chunk.length
      if (this.#refusalBytes > mostRefusalBytes) throw this.#refused()
      return
    }
    const before = this.#reader.pieces
    this.#reader.push(chunk)
    if (this.#reader.isStopped) this.#exchange?.end()
    else if (this.#reader.isDone) this.#waitForSilence(lingerMs)
    else if (this.#reader.hasFinished) this.#waitForSilence(countsMs)
    else if (this.#reader.pieces > before) this.#heard()
  }

  #heard(): void {
    this.#firstTokenAt ??= performance.now()
    if (this.#silence === undefined) this.#waitForSilence(this.#times.silenceMs)
    else this.#silence.refresh()
  }

  #waitForSilence(ms: number): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => {
      const { pieces } = this.#reader
      // Was it this process that stood still, what has come meanwhile is read first, and the timer begins anew.
      setImmediate(() => {
        if (this.#reader.pieces === pieces) this.#exchange?.end(this.#late(`stood still for ${ms} ms (vlm.engine.silenceMs)`))
      })
    }, ms)
  }

  #read(): ReadAnswer {
    if (!this.#isStream()) throw this.#refused()
    if (!this.#reader.isStopped) this.#reader.end()
    return this.#reader.answer()
  }

  #timed(answer: ReadAnswer): Answer {
    const totalMs = performance.now() - this.#begunAt
    return { ...answer, firstTokenMs: this.#firstTokenAt === undefined ? totalMs : this.#firstTokenAt - this.#begunAt, totalMs }
  }

  #isStream(): boolean {
    return this.#head?.status === 200 && this.#head.contentType.includes('event-stream')
  }

  #refused(): PagestreamError {
    const { status, contentType } = this.#head ?? { status: 0, contentType: '' }
    return refusalOf(asking, { status, contentType, body: Buffer.concat(this.#refusal).toString('utf8'), address: this.#server.address })
  }

  #late(words: string): PagestreamError {
    return new PagestreamError('engine-timeout', `${asking}: the answer of ${this.#server.address} ${words}`)
  }
}

/** Puts one question to a server and reads its answer. Rejects as `VlmEngine.ask`. */
export async function askServer(server: HttpServer, dialect: Dialect, model: string, times: AskTimes, ask: Ask, options: AskOptions): Promise<Answer> {
  if (options.signal?.aborted) throw new PagestreamError('cancelled', `${asking}: stopped`)
  const reader = new AnswerReader({ maxTokens: ask.maxTokens, endMarks: dialect.endMarks, address: server.address, listen: options.listen })
  return new OpenQuestion(server, reader, times).run(encodeQuestion(dialect, ask, model), options.signal)
}
