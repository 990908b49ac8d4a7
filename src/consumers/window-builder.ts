import type { CloseReason } from '../schema/stage.ts'

export interface WindowLimits {
  /** Pages at which a window closes. */
  readonly pages: number
  /** Expected work in milliseconds of one core at which it closes. */
  readonly costMs: number
  /** Bytes that its pages are expected to hold in memory at which it closes. */
  readonly bytes: number
  /** Longest wait of its oldest page, in milliseconds. */
  readonly ageMs: number
}

export interface ClosedWindow<T> {
  readonly items: readonly T[]
  readonly reason: CloseReason
  readonly costMs: number
  /** Of its limits of pages, work and bytes the share of the one that was nearest. */
  readonly fill: number
  /** How old its oldest page was, in milliseconds. */
  readonly ageMs: number
}

/** What a page is expected to take. */
export interface PageWeight {
  readonly costMs: number
  readonly bytes: number
}

/**
 * Gathers pages into windows. Pure: time is passed in. A page that alone exceeds a limit still
 * makes a window of its own. `idle` closes early: waiting for more pages buys nothing while nobody works.
 */
export class WindowBuilder<T> {
  readonly #limits: WindowLimits
  #items: T[] = []
  #costMs = 0
  #bytes = 0
  #oldestAt = 0

  constructor(limits: WindowLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#items.length
  }

  /** How long the oldest page of the open window has waited, in milliseconds; undefined when it is empty. */
  ageMs(now: number): number | undefined {
    return this.#items.length === 0 ? undefined : Math.max(0, now - this.#oldestAt)
  }

  /** Milliseconds from `now` until the open window is due, undefined when it is empty. */
  dueInMs(now: number): number | undefined {
    return this.#items.length === 0 ? undefined : Math.max(0, this.#oldestAt + this.#limits.ageMs - now)
  }

  /** Adds a page; answers the window that this closed, if it did. */
  add(item: T, { costMs, bytes }: PageWeight, now: number): ClosedWindow<T> | undefined {
    if (this.#items.length === 0) this.#oldestAt = now
    this.#items.push(item)
    this.#costMs += costMs
    this.#bytes += bytes
    if (this.#items.length >= this.#limits.pages) return this.close('pages', now)
    if (this.#costMs >= this.#limits.costMs) return this.close('cost', now)
    if (this.#bytes >= this.#limits.bytes) return this.close('bytes', now)
    return undefined
  }

  /** Closes the open window because it is too old. */
  tick(now: number): ClosedWindow<T> | undefined {
    return this.dueInMs(now) === 0 ? this.close('age', now) : undefined
  }

  close(reason: CloseReason, now: number): ClosedWindow<T> | undefined {
    if (this.#items.length === 0) return undefined
    const { pages, costMs, bytes } = this.#limits
    const fill = Math.max(this.#items.length / pages, this.#costMs / costMs, this.#bytes / bytes)
    const closed = { items: this.#items, reason, costMs: this.#costMs, fill, ageMs: now - this.#oldestAt }
    this.#items = []
    this.#costMs = 0
    this.#bytes = 0
    return closed
  }
}
