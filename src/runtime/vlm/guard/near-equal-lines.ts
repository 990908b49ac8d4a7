import type { Watcher } from './watcher.ts'

/** Lines that are looked at together, and how many different ones an honest page has at least among them. */
const windowLines = 96
const mostDistinct = 8
const longestLine = 96
/** As written, with its boxes. */
const longestWritten = 256

const box = /\[ *\d+ *, *\d+ *, *\d+ *, *\d+ *\]/g
const blockStart = '<|det|>'
/** Rows of a table may well be equal: see `ExactRepeats`. */
const tableMarkup = /<\/?t[abdhr]|cel>|^\|/i

interface ShortLine {
  readonly text: string
  readonly start: number
}

/**
 * Trips where the last 96 short lines hold at most 8 different ones: what a model writes on pictures that it cannot read. Boxes are taken out, for
 * they creep from line to line; case and spaces do not count; digits do. A long line ends the run, an empty one does not count. The answer is
 * cut at the first line that comes again: those before it were honest.
 */
export class NearEqualLines implements Watcher {
  readonly #lines: ShortLine[] = []
  readonly #times = new Map<string, number>()
  #written = ''
  #start = 0

  hear(piece: string, at: number): number | undefined {
    for (let i = 0; i < piece.length; i++) {
      const char = piece[i] as string
      if (char === '\n') {
        if (this.#endLine(this.#written)) return this.#runStart()
        this.#begin('', at + i + 1)
        continue
      }
      if (this.#written.length < longestWritten) this.#written += char
      if (char === '>' && this.#written.length > blockStart.length && this.#written.endsWith(blockStart)) {
        if (this.#endLine(this.#written.slice(0, -blockStart.length))) return this.#runStart()
        this.#begin(blockStart, at + i + 1 - blockStart.length)
      }
    }
    return undefined
  }

  #begin(written: string, start: number): void {
    this.#written = written
    this.#start = start
  }

  #endLine(written: string): boolean {
    const text = written.replace(box, '').replace(/\s+/gu, ' ').trim().toLowerCase()
    if (text === '' || tableMarkup.test(text)) return false
    if (text.length > longestLine || written.length >= longestWritten) {
      this.#lines.length = 0
      this.#times.clear()
      return false
    }
    this.#lines.push({ text, start: this.#start })
    this.#times.set(text, (this.#times.get(text) ?? 0) + 1)
    if (this.#lines.length <= windowLines) return this.#lines.length === windowLines && this.#times.size <= mostDistinct
    const gone = this.#lines.shift()
    if (gone !== undefined) {
      const times = (this.#times.get(gone.text) ?? 0) - 1
      if (times > 0) this.#times.set(gone.text, times)
      else this.#times.delete(gone.text)
    }
    return this.#times.size <= mostDistinct
  }

  #runStart(): number | undefined {
    return this.#lines.find(({ text }) => (this.#times.get(text) ?? 0) > 1)?.start
  }
}
