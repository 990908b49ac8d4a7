/** Numbers that are the same for the same seed, so that a run can be drawn again. */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = (seed * 0x9e3779b1) >>> 0
  }

  /** 0 up to 1, 1 excluded (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number, both ends included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)]
    if (item === undefined) throw new Error('picking: there is nothing to pick from')
    return item
  }

  shuffled<T>(items: readonly T[]): T[] {
    const left = [...items]
    const out: T[] = []
    while (left.length > 0) out.push(...left.splice(Math.floor(this.next() * left.length), 1))
    return out
  }
}
