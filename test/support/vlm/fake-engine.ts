import type { Answer, Ask, AskOptions, EngineLoad, VlmEngine } from '../../../src/runtime/vlm/engine.ts'
import { PagestreamError } from '../../../src/schema/failure.ts'

export interface FakeEngineOptions {
  readonly name?: string
  readonly exclusive?: string
  /** Runs while the engine starts; what it throws, the start rejects with. */
  readonly onStart?: (signal: AbortSignal | undefined) => Promise<void>
  /** Answers a question. */
  readonly onAsk?: (ask: Ask) => Promise<string>
  readonly onStop?: () => void
}

export const plainAsk: Ask = {
  ...{ task: 'test', prompt: 'What is it?', maxTokens: 10 },
  decoding: { temperature: 0, topP: 1, topK: 1, repetitionPenalty: 1, presencePenalty: 0, frequencyPenalty: 0 },
}

/** An engine without a model. */
export class FakeEngine implements VlmEngine {
  readonly name: string
  readonly model = 'fake'
  readonly slots = 2
  readonly exclusive: string | undefined
  starts = 0
  stops = 0
  readonly #options: FakeEngineOptions

  constructor(options: FakeEngineOptions = {}) {
    this.name = options.name ?? 'fake'
    this.exclusive = options.exclusive
    this.#options = options
  }

  async start(signal?: AbortSignal): Promise<void> {
    this.starts++
    await this.#options.onStart?.(signal)
  }

  async ask(ask: Ask, { signal }: AskOptions = {}): Promise<Answer> {
    if (signal?.aborted) throw new PagestreamError('cancelled', 'asking a fake engine: told to stop')
    const text = (await this.#options.onAsk?.(ask)) ?? this.name
    return { text, finish: 'stop', promptTokens: 1, outputTokens: 1, firstTokenMs: 0, totalMs: 0 }
  }

  async load(): Promise<EngineLoad | undefined> {
    return { running: 0, waiting: 0 }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stops++
    this.#options.onStop?.()
  }
}
