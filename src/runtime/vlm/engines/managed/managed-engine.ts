import type { EngineConfig } from '../../../../config/vlm-config.ts'
import { PagestreamError } from '../../../../schema/failure.ts'
import type { Answer, Ask, AskOptions, EngineLoad, VlmEngine } from '../../engine.ts'
import type { ManagedServer } from './managed-server.ts'
import { openServer, type ServerRequest } from './open-server.ts'
import { type ServerKind, serverKinds } from './server-plan.ts'

export interface ManagedEngineOptions extends Omit<ServerRequest, 'kind' | 'engine' | 'host' | 'portFor' | 'onLog' | 'onProgress'> {
  readonly engine: EngineConfig
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
  #asking: { readonly url: string; readonly engine: VlmEngine } | undefined
  #opening: Promise<VlmEngine> | undefined
  #starting: Promise<void> | undefined

  constructor(options: ManagedEngineOptions) {
    this.#options = options
  }

  /** Of the server; known once it has started. */
  get kind(): ServerKind {
    if (!this.#kind) throw new Error('asking a managed engine for its kind: it was not started')
    return this.#kind
  }

  get name(): string {
    return this.#kind ?? this.#options.engine.kind
  }

  get model(): string {
    return this.#asking?.engine.model ?? ''
  }

  get slots(): number {
    return this.#asking?.engine.slots ?? 0
  }

  /** Rejects also with `engine-not-started`, `port-unavailable`, `configuration`. */
  start(signal?: AbortSignal): Promise<void> {
    this.#starting ??= this.#start(signal ? AbortSignal.any([signal, this.#stopping.signal]) : this.#stopping.signal)
    return this.#starting
  }

  async #start(signal: AbortSignal): Promise<void> {
    const { engine, onNotice } = this.#options
    const place = listenAt(engine.urls)
    const { kind, server } = await openServer({ ...this.#options, ...place, kind: wantedKind(engine), ...(onNotice && { onProgress: onNotice }) })
    this.#kind = kind
    this.#server = server
    await server.start(signal)
    await this.#current()
  }

  async ask(ask: Ask, options?: AskOptions): Promise<Answer> {
    const engine = await this.#current()
    try {
      return await engine.ask(ask, options)
    } catch (error) {
      if (this.#stopping.signal.aborted) throw new PagestreamError('cancelled', `asking ${this.name}: it is stopped`, { cause: error })
      throw error
    }
  }

  async load(): Promise<EngineLoad | undefined> {
    return this.#asking?.url === this.#server?.url ? this.#asking?.engine.load() : undefined
  }

  /** Streams end first: a server that is told to stop while one is open goes on for half a minute. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#asking?.engine[Symbol.asyncDispose]()
    await this.#server?.stop()
    await this.#starting?.catch(() => undefined)
  }

  /** The engine for the server where it is now; one that was started again may be elsewhere. */
  #current(): Promise<VlmEngine> {
    const url = this.#server?.url
    if (url === undefined) return Promise.reject(new PagestreamError('engine-unreachable', `asking ${this.name}: its process does not run`))
    if (this.#asking?.url === url) return Promise.resolve(this.#asking.engine)
    this.#opening ??= this.#open(url).finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #open(url: string): Promise<VlmEngine> {
    await this.#asking?.engine[Symbol.asyncDispose]()
    this.#asking = undefined
    const engine = await this.#options.engineFor(this.#kind ?? 'vllm', url)
    try {
      await engine.start(this.#stopping.signal)
    } catch (error) {
      await engine[Symbol.asyncDispose]()
      throw error
    }
    this.#asking = { url, engine }
    return engine
  }
}

/** `openai` leaves the choice of the server open. */
function wantedKind({ kind }: EngineConfig): ServerKind | 'auto' {
  if (kind === 'openai') return 'auto'
  const known = serverKinds.find((each) => each === kind)
  if (known === undefined)
    throw new PagestreamError('configuration', `vlm.engine.managed: ${kind} is no server; ${serverKinds.join(', ')} are, and openai takes the first that fits`)
  return known
}

/** Where the address of the configuration says, else on a free port that only this machine reaches. */
function listenAt(urls: readonly string[]): Pick<ServerRequest, 'host' | 'portFor'> {
  const [url, more] = urls
  if (more !== undefined) throw new PagestreamError('configuration', 'vlm.engine.urls: a managed server has one address, or none for a free port')
  if (url === undefined) return { host: '127.0.0.1', portFor: () => 0 }
  const { hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[|\]$/g, ''), portFor: () => Number(port) || 80 }
}
