import { PagestreamError } from '../../../../schema/failure.ts'
import type { Answer, AskOptions } from '../../engine.ts'
import type { LlamaFigures } from './llama-protocol.ts'

/** Limits of one answer, in milliseconds. */
export interface AnswerLimits {
  readonly timeoutMs: number
  /** From one piece to the next, once the first has come. */
  readonly silenceMs: number
}

/** How a question ends that is not ended by the process. */
export interface PendingEvents {
  /** The process should write no more. */
  cancel(): void
  /** It took too long: cancelled, and the process may hang. */
  late(): void
}

/** A question in hand, as who asked sees it: it settles once. */
export class PendingAnswer {
  readonly answer: Promise<Answer>
  readonly #options: AskOptions
  readonly #limits: AnswerLimits
  readonly #events: PendingEvents
  readonly #askedMs: number
  readonly #timeout: NodeJS.Timeout
  #silence: NodeJS.Timeout | undefined
  #text = ''
  #firstMs: number | undefined
  #enough = false
  #settled = false
  #resolve: (answer: Answer) => void = () => undefined
  #reject: (error: Error) => void = () => undefined

  /** `askedMs`: when it was asked, by `performance.now`. */
  constructor(options: AskOptions, limits: AnswerLimits, askedMs: number, events: PendingEvents) {
    this.#options = options
    this.#limits = limits
    this.#events = events
    this.#askedMs = askedMs
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.answer.catch(() => undefined)
    this.#timeout = setTimeout(() => this.#late(`it took longer than ${limits.timeoutMs} ms`), limits.timeoutMs)
    options.signal?.addEventListener('abort', this.#abort, { once: true })
  }

  /** Whole characters; the first piece may be empty. */
  hear(piece: string): void {
    if (this.#settled) return
    this.#firstMs ??= performance.now()
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => this.#late(`it stood still for ${this.#limits.silenceMs} ms`), this.#limits.silenceMs)
    if (this.#enough || piece === '') return
    this.#text += piece
    try {
      if (this.#options.listen?.(piece) !== 'enough') return
    } catch (error) {
      this.fail(error instanceof Error ? error : new PagestreamError('internal', 'reading an answer: who listens has thrown no error'))
      this.#events.cancel()
      return
    }
    this.#enough = true
    this.#events.cancel()
  }

  finish({ finish, promptTokens, outputTokens }: LlamaFigures): void {
    if (!this.#settle()) return
    const now = performance.now()
    const firstTokenMs = (this.#firstMs ?? now) - this.#askedMs
    // The process may have come to its end before it was told that enough was heard.
    this.#resolve({ text: this.#text, finish: this.#enough ? 'stopped' : finish, promptTokens, outputTokens, firstTokenMs, totalMs: now - this.#askedMs })
  }

  fail(error: Error): void {
    if (this.#settle()) this.#reject(error)
  }

  readonly #abort = (): void => {
    this.fail(new PagestreamError('cancelled', 'asking the model: it was stopped'))
    this.#events.cancel()
  }

  #late(what: string): void {
    this.fail(new PagestreamError('engine-timeout', `asking the model: ${what}`))
    this.#events.late()
  }

  #settle(): boolean {
    if (this.#settled) return false
    this.#settled = true
    clearTimeout(this.#timeout)
    clearTimeout(this.#silence)
    this.#options.signal?.removeEventListener('abort', this.#abort)
    return true
  }
}
