import { setTimeout as sleep } from 'node:timers/promises'
import { colourScript } from '../support/vlm/golden-scripts.ts'
import type { StubFault, StubOptions } from '../support/vlm/stub-options.ts'
import { StubServer } from '../support/vlm/stub-server.ts'
import type { EngineFault, EngineFaultKind } from './fault-plan.ts'
import { scannedPages } from './scanned-documents.ts'
import { SeededRandom } from './seeded-random.ts'

/** Limits of workers: longer than a slow answer takes and waits, short enough for a test. */
export const engineTimes = { timeoutMs: 8000, silenceMs: 1500 }
const [quickestMs, slowestMs] = [200, 1500]
/** Of the answers in a spell; the engine says to all of them that it is busy. */
const shareOfSpell = 0.6

/** The documents of a seed keep it at work for some ten seconds, so that faults meet it. */
const engine: Omit<StubOptions, 'script'> = {
  ...{ kind: 'vllm', model: 'stub-model', slots: 4 },
  ...{ prefillTokensPerSecond: 1_000_000, decodeTokensPerSecond: 120, totalDecodeTokensPerSecond: 480 },
}

/** A time in which answers go wrong in one way. */
class Spells {
  readonly #random: SeededRandom
  #kind: EngineFaultKind | undefined
  #endsAt = 0

  constructor(seed: number) {
    this.#random = new SeededRandom(seed)
  }

  begin(kind: EngineFaultKind, forMs: number): void {
    this.#kind = kind
    this.#endsAt = Date.now() + forMs
  }

  fault(): StubFault | undefined {
    const kind = this.#now()
    if (kind === 'engine busy') return { kind: 'status', status: this.#random.pick([429, 503]) }
    if (!this.#random.chance(shareOfSpell)) return undefined
    if (kind === 'engine hang') return { kind: 'silence', afterTokens: this.#random.pick([0, 3]) }
    return kind === 'engine cut' ? { kind: 'cut', afterTokens: this.#random.between(0, 8) } : undefined
  }

  delayMs(): number {
    return this.#now() === 'engine slow' ? this.#random.between(quickestMs, slowestMs) : 0
  }

  #now(): EngineFaultKind | undefined {
    return Date.now() < this.#endsAt ? this.#kind : undefined
  }
}

/** The engine of a seed: a server that reads scanned pages, and hangs, breaks off, refuses, is slow or away when the plan says so. */
export class FaultyEngine implements AsyncDisposable {
  readonly #options: StubOptions
  readonly #spells: Spells
  #stub: StubServer

  private constructor(options: StubOptions, spells: Spells, stub: StubServer) {
    this.#options = options
    this.#spells = spells
    this.#stub = stub
  }

  static async start(seed: number): Promise<FaultyEngine> {
    const spells = new Spells(seed)
    const read = colourScript('mineru2.5', scannedPages)
    const options: StubOptions = {
      ...engine,
      fault: () => spells.fault(),
      async script(request) {
        await sleep(spells.delayMs())
        return read(request)
      },
    }
    return new FaultyEngine(options, spells, await StubServer.start(options))
  }

  get url(): string {
    return this.#stub.url
  }

  /** Questions that have a slot, or wait for one. */
  get inHand(): number {
    return this.#stub.running + this.#stub.waiting
  }

  async inject({ kind, forMs }: EngineFault): Promise<void> {
    if (kind !== 'engine restart') return this.#spells.begin(kind, forMs)
    const { port } = this.#stub
    await this.#stub[Symbol.asyncDispose]()
    await sleep(forMs)
    this.#stub = await StubServer.start(this.#options, { port })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stub[Symbol.asyncDispose]()
  }
}
