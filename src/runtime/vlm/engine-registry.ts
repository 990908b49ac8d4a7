import type { Config } from '../../config/config.ts'
import type { VlmConfig } from '../../config/vlm-config.ts'
import { PagestreamError } from '../../schema/failure.ts'
import type { Answer, Ask, AskOptions, EngineLoad, VlmEngine } from './engine.ts'
import type { EngineEvents } from './engine-events.ts'
import { abortable } from './engines/abortable.ts'
import { Turns } from './engines/turns.ts'

/** What an engine is built from. */
export interface EngineSource extends Pick<VlmConfig, 'family' | 'engine'> {
  readonly device: Config['device']
}

export type BuildEngine = (source: EngineSource, events: Required<EngineEvents>) => VlmEngine | Promise<VlmEngine>

/** An engine that is loaded or loads, and who has it. */
interface Shared {
  readonly key: string
  /** Settles when it has started, or did not. */
  readonly engine: Promise<VlmEngine>
  readonly loading: AbortController
  /** What each of those who have it wants to be told. */
  readonly users: Set<EngineEvents>
  stopped: Promise<void> | undefined
}

/**
 * Engines of this process. Each is built and started once for a family, kind, model and addresses, whoever asks for it, and stopped when the last
 * one has given it back. A start that failed is not remembered: whoever asks next tries anew. Disposing of the registry ends starts that are under
 * way and stops all engines, the one that was built last first.
 */
export class EngineRegistry implements AsyncDisposable {
  readonly #build: BuildEngine
  readonly #turns = new Turns()
  readonly #shared = new Map<string, Shared>()
  #closed = false

  constructor(build: BuildEngine) {
    this.#build = build
  }

  /** A handle on the engine of a configuration: its `start` waits for the one engine, disposing of it gives that back. */
  open(source: EngineSource, events: EngineEvents = {}): VlmEngine {
    const user = { ...events }
    return new EngineHandle(source, this.#turns, {
      take: (signal) => this.#take(source, user, signal),
      giveBack: (shared) => this.#giveBack(shared, user),
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    const all = [...this.#shared.values()].reverse()
    for (const { loading } of all) loading.abort()
    for (const shared of all) await this.#stop(shared)
  }

  async #take(source: EngineSource, user: EngineEvents, signal: AbortSignal | undefined): Promise<Taken> {
    if (this.#closed) throw new PagestreamError('cancelled', 'starting an engine: the process ends')
    const shared = this.#shared.get(keyOf(source)) ?? this.#add(source)
    shared.users.add(user)
    try {
      return { shared, engine: await abortable(shared.engine, signal, 'starting an engine') }
    } catch (error) {
      await this.#giveBack(shared, user)
      throw error
    }
  }

  #add(source: EngineSource): Shared {
    const loading = new AbortController()
    const key = keyOf(source)
    const users = new Set<EngineEvents>()
    const events: Required<EngineEvents> = {
      onNotice(line, level) {
        for (const user of users) user.onNotice?.(line, level)
      },
      onRestart() {
        for (const user of users) user.onRestart?.()
      },
      onExit(error) {
        for (const user of users) user.onExit?.(error)
      },
    }
    const engine = this.#load(source, events, loading.signal)
    const shared: Shared = { key, engine, loading, users, stopped: undefined }
    this.#shared.set(key, shared)
    engine.catch(() => this.#forget(shared))
    return shared
  }

  async #load(source: EngineSource, events: Required<EngineEvents>, signal: AbortSignal): Promise<VlmEngine> {
    const engine = await this.#build(source, events)
    const wanted = (): void => {
      if (signal.aborted) throw new PagestreamError('cancelled', 'starting an engine: nobody waits for it any more')
    }
    try {
      wanted()
      await engine.start(signal)
      wanted()
      return engine
    } catch (error) {
      await engine[Symbol.asyncDispose]()
      throw error
    }
  }

  async #giveBack(shared: Shared, user: EngineEvents): Promise<void> {
    shared.users.delete(user)
    if (shared.users.size > 0 || this.#closed) return
    shared.loading.abort()
    await this.#stop(shared)
  }

  #stop(shared: Shared): Promise<void> {
    this.#forget(shared)
    shared.stopped ??= shared.engine.then(
      (engine) => engine[Symbol.asyncDispose](),
      () => undefined,
    )
    return shared.stopped
  }

  #forget(shared: Shared): void {
    if (this.#shared.get(shared.key) === shared) this.#shared.delete(shared.key)
  }
}

const keyOf = ({ family, engine, device }: EngineSource): string => JSON.stringify([family, engine.kind, engine.managed, engine.model, engine.urls, device])

interface Taken {
  readonly shared: Shared
  readonly engine: VlmEngine
}

/** Where one user takes an engine and gives it back. */
interface Desk {
  take(signal: AbortSignal | undefined): Promise<Taken>
  giveBack(shared: Shared): Promise<void>
}

/** One user's view of an engine that others have too. */
class EngineHandle implements VlmEngine {
  readonly #source: EngineSource
  readonly #turns: Turns
  readonly #desk: Desk
  readonly #left = new AbortController()
  #taken: Promise<void> | undefined
  #shared: Shared | undefined
  #engine: VlmEngine | undefined

  constructor(source: EngineSource, turns: Turns, desk: Desk) {
    this.#source = source
    this.#turns = turns
    this.#desk = desk
  }

  get name(): string {
    return this.#engine?.name ?? this.#source.engine.kind
  }

  get model(): string {
    return this.#engine?.model ?? this.#source.engine.model
  }

  get slots(): number {
    return this.#engine?.slots ?? 0
  }

  get exclusive(): string | undefined {
    return this.#engine?.exclusive
  }

  start(signal?: AbortSignal): Promise<void> {
    this.#taken ??= this.#start(signal ? AbortSignal.any([signal, this.#left.signal]) : this.#left.signal).catch((error: unknown) => {
      this.#taken = undefined
      throw error
    })
    return this.#taken
  }

  async #start(signal: AbortSignal): Promise<void> {
    const { shared, engine } = await this.#desk.take(signal)
    this.#shared = shared
    this.#engine = engine
  }

  ask(ask: Ask, options?: AskOptions): Promise<Answer> {
    const engine = this.#engine
    if (!engine || this.#left.signal.aborted) return Promise.reject(new PagestreamError('internal', 'asking an engine that was not started, or was given back'))
    const { exclusive } = engine
    return exclusive === undefined ? engine.ask(ask, options) : this.#turns.take(exclusive, () => engine.ask(ask, options), options?.signal)
  }

  async load(): Promise<EngineLoad | undefined> {
    return this.#engine?.load()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#left.signal.aborted) return
    this.#left.abort()
    await this.#taken?.catch(() => undefined)
    if (this.#shared) await this.#desk.giveBack(this.#shared)
  }
}
