import type { Lane } from '../schema/lane.ts'

/** One of so many windows is bulk while both lanes have work. */
const bulkEvery = 8

/**
 * How many windows of a stage are worked on at once, over all lanes: live goes first, bulk is sure of a share, and whoever
 * is alone may have all.
 */
export class WindowSlots {
  readonly #size: number
  readonly #bulkEvery: number
  readonly #waiting: Record<Lane, (() => void) | undefined> = { live: undefined, bulk: undefined }
  #taken = 0
  /** Live windows since the last bulk one. */
  #sinceBulk = 0

  constructor(size: number, options: { readonly bulkEvery?: number } = {}) {
    this.#size = size
    this.#bulkEvery = options.bulkEvery ?? bulkEvery
  }

  /** False when there is none for this lane now: `retry` is called once when there may be. */
  take(lane: Lane, retry: () => void): boolean {
    if (this.#taken >= this.#size || this.#mustLetPass(lane)) {
      this.#waiting[lane] = retry
      return false
    }
    this.#taken++
    this.#sinceBulk = lane === 'bulk' ? 0 : this.#sinceBulk + 1
    return true
  }

  giveBack(): void {
    this.#taken--
    const first: Lane = this.#sinceBulk >= this.#bulkEvery - 1 ? 'bulk' : 'live'
    for (const lane of [first, first === 'live' ? 'bulk' : 'live'] as const) {
      const retry = this.#waiting[lane]
      this.#waiting[lane] = undefined
      retry?.()
    }
  }

  /** Whether the other lane waits and it is its turn. */
  #mustLetPass(lane: Lane): boolean {
    const bulkIsDue = this.#sinceBulk >= this.#bulkEvery - 1
    return lane === 'live' ? bulkIsDue && this.#waiting.bulk !== undefined : !bulkIsDue && this.#waiting.live !== undefined
  }
}
