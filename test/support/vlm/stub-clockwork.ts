/** One answer on its way through the engine. */
export interface Generation {
  readonly promptTokens: number
  /** The tokens it will write; the last chunk of them is followed by `ended`. Infinity for one that never ends. */
  readonly tokens: number
  /** Tokens from `from` on, up to `to`, are there. */
  write(from: number, to: number): void
  ended(): void
}

interface Running {
  readonly generation: Generation
  prefillLeft: number
  /** Fractions of tokens count. */
  written: number
  given: number
}

export interface Speeds {
  readonly slots: number
  readonly prefillTokensPerSecond: number
  readonly decodeTokensPerSecond: number
  readonly totalDecodeTokensPerSecond: number
  readonly chunkTokens: number
}

const tickMs = 2

/**
 * The engine's time: slots, a queue without bound, one prompt read after another, and decoding that gets slower when many do it. Measured against the
 * clock at every tick, so that a late tick loses nothing.
 */
export class StubClockwork {
  readonly #speeds: Speeds
  readonly #running: Running[] = []
  readonly #waiting: Generation[] = []
  #timer: NodeJS.Timeout | undefined
  #last = 0
  /** Slot-seconds in use so far. */
  busySeconds = 0
  mostRunning = 0

  constructor(speeds: Speeds) {
    this.#speeds = speeds
  }

  get running(): number {
    return this.#running.length
  }

  get waiting(): number {
    return this.#waiting.length
  }

  add(generation: Generation): void {
    this.#waiting.push(generation)
    this.#admit()
    if (this.#timer !== undefined) return
    this.#last = performance.now()
    this.#timer = setInterval(() => this.#tick(), tickMs)
  }

  /** Frees its slot, or takes it out of the queue. */
  remove(generation: Generation): void {
    const waiting = this.#waiting.indexOf(generation)
    if (waiting >= 0) this.#waiting.splice(waiting, 1)
    const running = this.#running.findIndex((each) => each.generation === generation)
    if (running >= 0) this.#running.splice(running, 1)
    this.#admit()
    this.#rest()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#running.length = 0
    this.#waiting.length = 0
  }

  #admit(): void {
    while (this.#running.length < this.#speeds.slots) {
      const generation = this.#waiting.shift()
      if (generation === undefined) return
      this.#running.push({ generation, prefillLeft: generation.promptTokens, written: 0, given: 0 })
      this.mostRunning = Math.max(this.mostRunning, this.#running.length)
    }
  }

  #tick(): void {
    const now = performance.now()
    const seconds = (now - this.#last) / 1000
    this.#last = now
    this.busySeconds += seconds * this.#running.length
    this.#prefill(seconds)
    const decoding = this.#running.filter(({ prefillLeft }) => prefillLeft <= 0)
    const { decodeTokensPerSecond, totalDecodeTokensPerSecond } = this.#speeds
    const rate = Math.min(decodeTokensPerSecond, totalDecodeTokensPerSecond / Math.max(1, decoding.length))
    for (const each of decoding) this.#decode(each, seconds * rate)
    this.#admit()
    this.#rest()
  }

  /** Prompts share the engine's speed, the first come first. */
  #prefill(seconds: number): void {
    let left = seconds * this.#speeds.prefillTokensPerSecond
    for (const each of this.#running) {
      const part = Math.min(left, Math.max(0, each.prefillLeft))
      each.prefillLeft -= part
      left -= part
    }
  }

  #decode(each: Running, tokens: number): void {
    const { generation } = each
    each.written = Math.min(generation.tokens, each.written + tokens)
    const { chunkTokens } = this.#speeds
    while (each.given < generation.tokens) {
      const to = Math.min(generation.tokens, each.given + chunkTokens)
      if (to > each.written) return
      generation.write(each.given, to)
      each.given = to
    }
    const at = this.#running.indexOf(each)
    if (at >= 0) this.#running.splice(at, 1)
    generation.ended()
  }

  #rest(): void {
    if (this.#running.length > 0 || this.#waiting.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
