import type { Watcher } from './watcher.ts'

/** Characters within which the first mark begins: an answer in the right form begins with it, or with a word or two. */
const longestStart = 256

/** Trips where an answer has begun without the mark that it is made of: it is in prose, or the server strips special tokens. All that was heard is kept. */
export class MissingMark implements Watcher {
  readonly #mark: string
  #start: string | undefined = ''

  constructor(mark: string) {
    this.#mark = mark
  }

  hear(piece: string, at: number): number | undefined {
    if (this.#start === undefined) return undefined
    const longest = longestStart + this.#mark.length
    this.#start += piece.slice(0, longest - at)
    if (this.#start.includes(this.#mark)) this.#start = undefined
    else if (this.#start.length >= longest) return longest
    return undefined
  }
}
