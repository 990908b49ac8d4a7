import { ElementSplitter } from './element-splitter.ts'
import type { Watcher } from './watcher.ts'

const mostTimes = 3
/** Different elements that are remembered: more than a page has. */
const mostRemembered = 2_000

/**
 * Trips at the third of three equal elements of a layout, wherever they stand: each has its box, so no honest layout has two. The answer is cut where
 * an element came for the second time.
 */
export class EqualElements implements Watcher {
  readonly #splitter: ElementSplitter
  readonly #seen = new Map<string, { times: number; second: number }>()

  /** `mark`: what each element begins with. */
  constructor(mark: string) {
    this.#splitter = new ElementSplitter(mark)
  }

  hear(piece: string, at: number): number | undefined {
    for (const { text, start } of this.#splitter.hear(piece, at)) {
      if (text === undefined) continue
      const key = text.trim()
      const seen = this.#seen.get(key)
      if (seen === undefined) {
        if (this.#seen.size < mostRemembered) this.#seen.set(key, { times: 1, second: 0 })
        continue
      }
      seen.times++
      if (seen.times === 2) seen.second = start
      if (seen.times >= mostTimes) return seen.second
    }
    return undefined
  }
}
