import { setTimeout as sleep } from 'node:timers/promises'
import { PagestreamError } from '../../../../schema/failure.ts'
import type { Answer, Ask, AskOptions, EngineLoad, VlmEngine } from '../../engine.ts'
import { readApiKey } from './api-key.ts'
import { type AskTimes, askServer } from './ask-server.ts'
import type { Dialect } from './dialects/dialect.ts'
import { HttpServer } from './http-server.ts'
import { readLoad } from './read-load.ts'
import { findModel, findSlots, shownModel } from './served-model.ts'

/** Of a server that does not say how many questions it works on at once. */
const usualSlots = 16
const loadTimeoutMs = 5000
/** Not enabled, or not for us: asking again does not help. Of all else, as of a gateway whose server is away, the next answer may be better. */
const hasNoMetrics: ReadonlySet<number> = new Set([401, 403, 404, 405, 501])
const [firstPauseMs, longestPauseMs] = [200, 3000]

export interface HttpEngineOptions extends AskTimes {
  readonly url: string
  readonly dialect: Dialect
  /** Empty: the only one that the server has. */
  readonly model: string
  readonly apiKeyFile: string
  /** 0: what the server says. */
  readonly slots: number
  /** How long `start` waits for a server that says that it is loading. */
  readonly startMs: number
  /** … and for one that is not there. */
  readonly absentMs: number
}

/** A server that speaks the OpenAI protocol in one of its dialects. Always streams: an answer that is not streamed cannot be given up. */
export class HttpEngine implements VlmEngine {
  readonly #options: HttpEngineOptions
  readonly #server: HttpServer
  #modelId = ''
  #slots: number
  #hasLoad: boolean

  constructor(options: HttpEngineOptions) {
    this.#options = options
    this.#server = new HttpServer(options.url)
    this.#slots = options.slots || usualSlots
    this.#hasLoad = options.dialect.load !== undefined
  }

  get name(): string {
    return this.#options.dialect.kind
  }

  get model(): string {
    return shownModel(this.#modelId)
  }

  get slots(): number {
    return this.#slots
  }

  async start(signal?: AbortSignal): Promise<void> {
    const begunAt = performance.now()
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      try {
        return await this.#discover(signal)
      } catch (error) {
        const waited = performance.now() - begunAt
        if (waited + pauseMs > this.#patienceMs(error)) throw error
        await sleep(pauseMs, undefined, signal === undefined ? {} : { signal }).catch(() => {
          throw new PagestreamError('cancelled', 'waiting for the engine: stopped')
        })
      }
    }
  }

  async ask(ask: Ask, options: AskOptions = {}): Promise<Answer> {
    if (this.#modelId === '') throw new PagestreamError('engine-unreachable', `asking the engine: ${this.#server.address} has not been reached yet`)
    return askServer(this.#server, this.#options.dialect, this.#modelId, this.#options, ask, options)
  }

  async load(): Promise<EngineLoad | undefined> {
    const { load } = this.#options.dialect
    if (load === undefined || !this.#hasLoad) return undefined
    const answer = await this.#server.getText('asking the engine for its metrics', '/metrics', loadTimeoutMs).catch(() => undefined)
    if (answer === undefined) return undefined
    if (hasNoMetrics.has(answer.status)) this.#hasLoad = false
    return answer.status === 200 ? readLoad(answer.body, load) : undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]()
  }

  async #discover(signal: AbortSignal | undefined): Promise<void> {
    const { dialect, apiKeyFile, model, slots } = this.#options
    this.#server.useKey(await readApiKey(apiKeyFile))
    const modelId = await findModel(this.#server, dialect, model, signal)
    if (slots === 0 && dialect.tellsSlots) this.#slots = (await findSlots(this.#server, signal)) ?? usualSlots
    this.#hasLoad = dialect.load !== undefined
    this.#modelId = modelId
  }

  #patienceMs(error: unknown): number {
    if (!(error instanceof PagestreamError)) return 0
    if (error.code === 'engine-busy' || error.code === 'engine-timeout') return this.#options.startMs
    return error.code === 'engine-unreachable' ? this.#options.absentMs : 0
  }
}
