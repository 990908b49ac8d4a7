/**
 * Which records of one partition are finished. Records finish in any order; only the contiguous
 * finished prefix may be committed. Bounded by the records in flight.
 */
export class LowWater {
  /** Offsets taken in and not finished, in order of arrival (ascending), and when they were written, in milliseconds since 1970. */
  readonly #open = new Map<bigint, number>()
  #next: bigint | undefined
  #highest = -1n

  /** False when the record was taken in before: a re-delivery to be dropped. */
  take(offset: bigint, writtenMs: number): boolean {
    if (offset <= this.#highest) return false
    this.#highest = offset
    this.#open.set(offset, writtenMs)
    return true
  }

  /** When the oldest record that is not finished was written; undefined when none is open. */
  get oldestWrittenMs(): number | undefined {
    const [oldest] = this.#open.values()
    return oldest
  }

  /** The mark, when what is below it was read again: the commit of it was lost. */
  uncommitted(offset: bigint): bigint | undefined {
    return this.#next !== undefined && offset < this.#next ? this.#next : undefined
  }

  /** Marks a record finished; answers the next offset to commit when the mark moved. */
  finish(offset: bigint): bigint | undefined {
    if (!this.#open.delete(offset)) return undefined
    const [oldest] = this.#open.keys()
    const next = oldest ?? this.#highest + 1n
    if (this.#next !== undefined && next <= this.#next) return undefined
    // the mark only moves when nothing below it is open
    if (oldest !== undefined && oldest < offset) return undefined
    this.#next = next
    return next
  }
}
