import { repetitiveSuffix } from './repetitive-suffix.ts'
import type { Watcher } from './watcher.ts'

/** Characters of the longest unit that is noticed. */
export const longestPeriod = 2_048
/** Characters between two looks. */
const interval = 512
/** Two of the longest units, and what comes between two looks: so the beginning of a run is always seen. */
const lookBack = 2 * longestPeriod + 2 * interval
/** Shorter runs are not followed: words have double letters, lines have dots. */
const leastRun = 64
const ringSize = 8_192

const cellMarkup = /<\/?t[dhr]\b|cel>|\|/i

/**
 * Characters of a run from which on nobody printed it.
 *
 * Rows and cells of tables: a page at the smallest print has some 200 lines, and empty rows are equal to the last character: 300.
 * All else: dot leaders and ruled lines of a form come to some hundred repeats and 1,500 characters, sheets of labels to 80 repeats, and what is
 * printed over and over fills a page with some 6,000 characters. So: 100 repeats and 2,000 characters, or 8 repeats and 8,000 characters.
 */
export function honestLength(unit: string): number {
  if (cellMarkup.test(unit)) return 300 * unit.length
  return Math.min(Math.max(100 * unit.length, 2_000), Math.max(8 * unit.length, 8_000))
}

/**
 * Trips where an answer repeats a unit of up to 2,048 characters to the letter, more often than any page does. Looks every 512 characters whether
 * the end of the answer has a period, then follows it character by character. The answer is cut after the first unit.
 */
export class ExactRepeats implements Watcher {
  readonly #ring = new Uint16Array(ringSize)
  #length = 0
  #nextLook = interval
  /** The run that is being followed; period 0: none. */
  #period = 0
  #start = 0
  #enough = 0

  hear(piece: string): number | undefined {
    for (let i = 0; i < piece.length; i++) {
      const unit = piece.charCodeAt(i)
      const goesOn = this.#period > 0 && unit === this.#ring[(this.#length - this.#period) % ringSize]
      this.#ring[this.#length % ringSize] = unit
      this.#length++
      if (!goesOn) this.#lookAround()
      if (this.#period > 0 && this.#length - this.#start >= this.#enough) return this.#start + this.#period
    }
    return undefined
  }

  #lookAround(): void {
    if (this.#period > 0) {
      this.#period = 0
      this.#nextLook = this.#length + interval
    }
    if (this.#length < this.#nextLook) return
    this.#nextLook = this.#length + interval
    const window = new Uint16Array(Math.min(this.#length, lookBack))
    for (let k = 0; k < window.length; k++) window[k] = this.#ring[(this.#length - 1 - k) % ringSize] as number
    const run = repetitiveSuffix(window, longestPeriod)
    if (run === undefined || run.length < leastRun) return
    this.#period = run.period
    this.#start = this.#length - run.length
    this.#enough = honestLength(String.fromCharCode(...window.subarray(0, run.period).reverse()))
  }
}
