import { PagestreamError } from '../../../../schema/failure.ts'
import type { Answer, Ask, AskOptions, EngineLoad, VlmEngine } from '../../engine.ts'
import { type ConfiguredServerRequest, openConfiguredServer } from './configured-server.ts'
import type { ManagedServer } from './managed-server.ts'
import type { ServerKind } from './server-plan.ts'

export interface ManagedEngineOptions extends ConfiguredServerRequest {
  /** Makes the engine that asks a server of a kind at an address. It is started and disposed of here. */
  readonly engineFor: (kind: ServerKind, url: string) => Promise<VlmEngine>
}

/**
 * A server that is started with the engine and stopped with it, and the engine that asks it. While the server has fallen and is started again,
 * questions are refused with `engine-unreachable`, which may be tried again; so they are when it is not started any more, and `onExit` tells.
 */
export class ManagedEngine implements VlmEngine {
  readonly #options: ManagedEngineOptions
  readonly #stopping = new AbortController()
  #kind: ServerKind | undefined
  #server: ManagedServer | undefined
  #url = ''
  #engine: VlmEngine | undefined
  #starting: Promise<void> | undefined

  constructor(options: ManagedEngineOptions) {
    this.#options = options
  }

  /** Of the server; known once it has started. */
  get kind(): ServerKind {
    if (!this.#kind) throw new Error('asking a managed engine for its kind: it was not started')
    return this.#kind
  }

  /** Where the server answers while it does; known once it has started. */
  get url(): string {
    return this.#url
  }

  get name(): string {
    return this.#kind ?? this.#options.engine.kind
  }

  get model(): string {
    return this.#engine?.model ?? this.#options.engine.model
  }

  get slots(): number {
    return this.#engine?.slots ?? 0
  }

  /** Rejects also with `engine-not-started`, `port-unavailable`, `configuration`. */
  start(signal?: AbortSignal): Promise<void> {
    this.#starting ??= this.#start(signal ? AbortSignal.any([signal, this.#stopping.signal]) : this.#stopping.signal)
    return this.#starting
  }

  async #start(signal: AbortSignal): Promise<void> {
    const { kind, server } = await openConfiguredServer(this.#options)
    this.#kind = kind
    this.#server = server
    await server.start(signal)
    this.#url = server.url ?? ''
    const engine = await this.#options.engineFor(kind, this.#url)
    this.#engine = engine
    await engine.start(signal)
  }

  async ask(ask: Ask, options?: AskOptions): Promise<Answer> {
    const engine = this.#server?.url === undefined ? undefined : this.#engine
    if (!engine) throw new PagestreamError('engine-unreachable', `asking ${this.name}: its process does not run`)
    try {
      return await engine.ask(ask, options)
    } catch (error) {
      if (this.#stopping.signal.aborted) throw new PagestreamError('cancelled', `asking ${this.name}: it is stopped`, { cause: error })
      throw error
    }
  }

  async load(): Promise<EngineLoad | undefined> {
    return this.#server?.url === undefined ? undefined : this.#engine?.load()
  }

  /** Streams end first: a server that is told to stop while one is open goes on for half a minute. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#engine?.[Symbol.asyncDispose]()
    await this.#server?.stop()
    await this.#starting?.catch(() => undefined)
  }
}
