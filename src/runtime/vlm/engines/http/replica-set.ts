import { PagestreamError } from '../../../../schema/failure.ts'
import type { Answer, Ask, AskOptions, EngineLoad, VlmEngine } from '../../engine.ts'
import { Replica } from './replica.ts'

const reviveTimeoutMs = 5000

/** It may be there later; all else says that the configuration is wrong. */
const isAway = (error: unknown): boolean => error instanceof PagestreamError && ['transient', 'overload'].includes(error.class) && error.code !== 'cancelled'

export interface ReplicaSetOptions {
  readonly now?: () => number
  readonly random?: () => number
}

/**
 * Several servers with the same model, as one engine. The least busy is asked. One that is away or too busy is left alone with growing pauses, its question goes
 * to another, and its slots do not count; so is one that breaks down over question after question. Only when none is there a question fails.
 */
export class ReplicaSet implements VlmEngine {
  readonly #replicas: readonly Replica[]
  readonly #now: () => number
  readonly #random: () => number
  /** As it was at the start; whoever comes back with another one is not asked. */
  #model = ''

  constructor(engines: readonly VlmEngine[], { now = () => performance.now(), random = Math.random }: ReplicaSetOptions = {}) {
    this.#replicas = engines.map((engine) => new Replica(engine))
    this.#now = now
    this.#random = random
  }

  get name(): string {
    return this.#replicas[0]?.engine.name ?? ''
  }

  get model(): string {
    return this.#model
  }

  /** Of those that are there; at least one, so that somebody asks and finds out. */
  get slots(): number {
    return Math.max(
      1,
      this.#up().reduce((sum, { engine }) => sum + engine.slots, 0),
    )
  }

  /** Those that are away are waited for as long as one engine would wait; then one that is there is enough. */
  async start(signal?: AbortSignal): Promise<void> {
    const started = await Promise.allSettled(this.#replicas.map(({ engine }) => engine.start(signal)))
    const failures = started.map((result) => (result.status === 'rejected' ? (result.reason as unknown) : undefined))
    const refused = failures.find((error) => error !== undefined && !isAway(error))
    if (refused !== undefined) throw refused
    for (const [index, replica] of this.#replicas.entries()) {
      if (failures[index] === undefined) replica.up()
      else replica.down(this.#now(), this.#random)
    }
    if (this.#up().length === 0) throw failures.find((error) => error !== undefined)
    this.#model = this.#oneModel()
  }

  async ask(ask: Ask, options: AskOptions = {}): Promise<Answer> {
    const tried = new Set<Replica>()
    for (;;) {
      const replica = this.#choose(tried) ?? (await this.#awaitOne(tried))
      tried.add(replica)
      let wasHeard = false
      const listen =
        options.listen &&
        ((piece: string) => {
          wasHeard = true
          return options.listen?.(piece)
        })
      replica.inFlight += 1
      try {
        const answer = await replica.engine.ask(ask, listen ? { ...options, listen } : options)
        replica.answered()
        return answer
      } catch (error) {
        if (error instanceof PagestreamError && error.code === 'engine-failed') replica.broke(this.#now(), this.#random)
        if (!this.#isForAnother(error, tried)) throw error
        replica.down(this.#now(), this.#random)
        if (tried.size === this.#replicas.length || (wasHeard && !options.again)) throw error
        if (wasHeard) options.again?.()
      } finally {
        replica.inFlight -= 1
      }
    }
  }

  /** One that is away says nothing of the others. One that is loading or overloaded is left alone too, as long as there is another to ask. */
  #isForAnother(error: unknown, tried: ReadonlySet<Replica>): boolean {
    if (!(error instanceof PagestreamError)) return false
    return error.code === 'engine-unreachable' || (error.code === 'engine-busy' && this.#leastBusy(tried) !== undefined)
  }

  /** Of all that tell; undefined where none does. */
  async load(): Promise<EngineLoad | undefined> {
    const loads = (await Promise.all(this.#up().map(({ engine }) => engine.load()))).filter((load) => load !== undefined)
    if (loads.length === 0) return undefined
    return loads.reduce((sum, load) => ({ running: sum.running + load.running, waiting: sum.waiting + load.waiting }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#replicas.map(({ engine }) => engine[Symbol.asyncDispose]()))
  }

  #up(): readonly Replica[] {
    return this.#replicas.filter(({ isUp }) => isUp)
  }

  /** The least busy of those that are there, at once: who is asked is counted before anybody else chooses. Looks after those that are away. */
  #choose(tried: ReadonlySet<Replica>): Replica | undefined {
    void this.#reviveDue(tried)
    return this.#leastBusy(tried)
  }

  /** Rejects with `engine-unreachable` when none is there. */
  async #awaitOne(tried: ReadonlySet<Replica>): Promise<Replica> {
    await this.#reviveDue(tried)
    const revived = this.#leastBusy(tried)
    if (revived !== undefined) return revived
    throw new PagestreamError('engine-unreachable', `asking the engine: none of the ${this.#replicas.length} servers of vlm.engine.urls can be reached`)
  }

  async #reviveDue(tried: ReadonlySet<Replica>): Promise<void> {
    const due = this.#replicas.filter((replica) => !tried.has(replica) && replica.isDue(this.#now()))
    await Promise.all(due.map((replica) => replica.revive(this.#model, this.#now, this.#random, reviveTimeoutMs)))
  }

  #leastBusy(tried: ReadonlySet<Replica>): Replica | undefined {
    const free = this.#up().filter((replica) => !tried.has(replica))
    return free.reduce<Replica | undefined>((best, replica) => (best !== undefined && best.pressure <= replica.pressure ? best : replica), undefined)
  }

  /** The result of a page must not depend on who was asked. */
  #oneModel(): string {
    const models = [...new Set(this.#up().map(({ engine }) => engine.model))]
    if (models.length > 1) {
      throw new PagestreamError('engine-refused', `asking the engines for their models: they differ: ${models.join(', ')}. Check vlm.engine.urls`)
    }
    return models[0] ?? ''
  }
}
