/** What is known of a question that waits. */
export interface WaitingAsk {
  /** Lower first. */
  readonly priority: number
  /** Earlier ones of the same priority first. */
  readonly order: number
  /** How often it was sent so far. */
  readonly tries: number
}

/** Every so many-th place goes to the one that has waited longest, whatever its priority: none waits for ever. */
const turnsForOldest = 16
/** Those that do not fit are passed over so often, then the others wait for them. */
const mostPassedOver = 64

const comesBefore = (a: WaitingAsk, b: WaitingAsk): boolean => a.priority < b.priority || (a.priority === b.priority && a.order < b.order)

/** Questions that wait, in the order in which they are asked. */
export class WaitingAsks<T extends WaitingAsk> {
  readonly #asks: T[] = []
  #turns = 0
  #passedOver = 0

  get size(): number {
    return this.#asks.length
  }

  add(ask: T): void {
    let [low, high] = [0, this.#asks.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const there = this.#asks[middle]
      if (there !== undefined && comesBefore(there, ask)) low = middle + 1
      else high = middle
    }
    this.#asks.splice(low, 0, ask)
  }

  /** False where it does not wait any more. */
  remove(ask: T): boolean {
    const at = this.#asks.indexOf(ask)
    if (at >= 0) this.#asks.splice(at, 1)
    return at >= 0
  }

  /** The next one that fits. One that does not is passed over for a while only. */
  take(fits: (ask: T) => boolean): T | undefined {
    const first = this.#turnOfOldest() ?? this.#asks[0]
    if (first === undefined) return undefined
    if (fits(first)) return this.#taken(first)
    if (this.#passedOver >= mostPassedOver) return undefined
    const other = this.#asks.find((ask) => fits(ask))
    if (other === undefined) return undefined
    this.#passedOver += 1
    this.remove(other)
    return other
  }

  /** For a try of an engine that was away: one that was sent least often, lest a question that kills the engine is always the one. */
  leastTried(): T | undefined {
    const [first] = this.#asks
    return this.#asks.reduce<T | undefined>((best, ask) => (best === undefined || ask.tries < best.tries ? ask : best), first)
  }

  /** Takes out all that answer. */
  takeAll(isTaken: (ask: T) => boolean): T[] {
    const taken = this.#asks.filter(isTaken)
    for (const ask of taken) this.remove(ask)
    return taken
  }

  /** The least of a figure over all; Infinity where none waits. */
  least(figure: (ask: T) => number): number {
    return this.#asks.reduce((least, ask) => Math.min(least, figure(ask)), Number.POSITIVE_INFINITY)
  }

  #turnOfOldest(): T | undefined {
    if (this.#turns < turnsForOldest - 1) return undefined
    return this.#asks.reduce<T | undefined>((oldest, ask) => (oldest === undefined || ask.order < oldest.order ? ask : oldest), undefined)
  }

  #taken(ask: T): T {
    this.remove(ask)
    this.#turns = (this.#turns + 1) % turnsForOldest
    this.#passedOver = 0
    return ask
  }
}
