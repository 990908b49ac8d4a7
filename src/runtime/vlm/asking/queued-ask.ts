import { PagestreamError } from '../../../schema/failure.ts'
import type { Answer, Ask, AskOptions } from '../engine.ts'
import type { WaitingAsk } from './waiting-asks.ts'

export interface QueuedAskOptions extends AskOptions {
  /** Lower first. Pages that were begun earlier have lower ones, so that they are finished before new ones take the slots. */
  readonly priority: number
  /** Trace context of the work that asks. */
  readonly traceparent?: string | undefined
}

/** A question from when it is asked of the queue until it is answered, however often it is sent. */
export class QueuedAsk implements WaitingAsk {
  readonly ask: Ask
  readonly priority: number
  readonly traceparent: string | undefined
  readonly order: number
  readonly arrivedAt: number
  readonly answer: Promise<Answer>
  tries = 0
  /** Those of an engine that was there; tries of one that is away are bounded by patience. */
  failures = 0
  readonly #options: QueuedAskOptions
  #wasHeard = false
  #settle: ((outcome: Answer | Error) => void) | undefined

  constructor(ask: Ask, options: QueuedAskOptions, order: number, arrivedAt: number) {
    this.ask = ask
    this.#options = options
    this.priority = options.priority
    this.traceparent = options.traceparent
    this.order = order
    this.arrivedAt = arrivedAt
    this.answer = new Promise((resolve, reject) => {
      this.#settle = (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome))
    })
  }

  /** Whether it may be sent again: nobody has given it up, and nobody hears an answer twice who cannot begin anew. */
  get mayBeAgain(): boolean {
    return !this.isGivenUp && (!this.#wasHeard || this.#options.again !== undefined)
  }

  get isGivenUp(): boolean {
    return this.#options.signal?.aborted === true
  }

  /** Calls `act` when it is given up before it is settled. */
  onGivenUp(act: () => void): void {
    const { signal } = this.#options
    signal?.addEventListener('abort', act, { once: true })
    const settle = this.#settle
    this.#settle = (outcome) => {
      signal?.removeEventListener('abort', act)
      settle?.(outcome)
    }
  }

  /** The first outcome counts. */
  settle(outcome: Answer | Error): void {
    this.#settle?.(outcome)
    this.#settle = undefined
  }

  cancel(): void {
    this.settle(new PagestreamError('cancelled', 'asking the engine: stopped'))
  }

  /** How the engine is to be asked this time. Tells whoever listens when the answer begins anew. `onHeard`: a piece of the answer has come. */
  send(onHeard: () => void): AskOptions {
    const { listen, signal, again } = this.#options
    if (this.#wasHeard) again?.()
    this.#wasHeard = false
    this.tries += 1
    const hear = (piece: string) => {
      onHeard()
      this.#wasHeard = listen !== undefined
      return listen?.(piece)
    }
    const beginAnew = listen === undefined ? () => undefined : again
    return { listen: hear, ...(signal && { signal }), ...(beginAnew && { again: beginAnew }) }
  }
}
