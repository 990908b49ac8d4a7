import type { Answer, Ask, AskOptions, EngineLoad, VlmEngine } from '../../../src/runtime/vlm/engine.ts'
import { PagestreamError } from '../../../src/schema/failure.ts'

export interface ScriptedEngineOptions {
  readonly slots: number
  readonly model?: string
  /** Questions are answered when `release` is called. */
  readonly holds?: boolean
  /** The first piece is heard, then this. */
  readonly failsAfterPieces?: PagestreamError
  /** What it answers; default the prompt. */
  readonly answer?: (ask: Ask, index: number) => string | Promise<string>
}

/** An engine in memory that answers each question with its prompt, or fails as it is told. */
export class ScriptedEngine implements VlmEngine {
  readonly name = 'scripted'
  model: string
  slots: number
  failure: PagestreamError | undefined
  startFailure: PagestreamError | undefined
  loadFigures: EngineLoad | undefined
  asked = 0
  started = 0
  inFlight = 0
  mostInFlight = 0
  readonly #options: ScriptedEngineOptions
  #held: (() => void)[] = []

  constructor(options: ScriptedEngineOptions) {
    this.#options = options
    this.slots = options.slots
    this.model = options.model ?? 'scripted'
  }

  get held(): number {
    return this.#held.length
  }

  /** Lets so many held questions go on, the first come first. */
  release(count = this.#held.length): void {
    for (const go of this.#held.splice(0, count)) go()
  }

  async start(): Promise<void> {
    this.started += 1
    if (this.startFailure !== undefined) throw this.startFailure
  }

  async ask(ask: Ask, { signal, listen }: AskOptions = {}): Promise<Answer> {
    const index = this.asked++
    this.inFlight += 1
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight)
    try {
      if (this.#options.holds) await this.#hold(signal)
      if (this.failure !== undefined) throw this.failure
      const text = (await this.#options.answer?.(ask, index)) ?? ask.prompt
      const enough = listen?.(text) === 'enough'
      if (this.#options.failsAfterPieces !== undefined) throw this.#options.failsAfterPieces
      return {
        text,
        finish: enough ? 'stopped' : 'stop',
        promptTokens: 10,
        outputTokens: Math.max(1, text.length),
        firstTokenMs: 10,
        totalMs: 10 + text.length,
      }
    } finally {
      this.inFlight -= 1
    }
  }

  async load(): Promise<EngineLoad | undefined> {
    return this.loadFigures
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.release()
  }

  #hold(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#held.push(resolve)
      signal?.addEventListener('abort', () => {
        this.#held = this.#held.filter((each) => each !== resolve)
        reject(new PagestreamError('cancelled', 'asking: stopped'))
      })
    })
  }
}
