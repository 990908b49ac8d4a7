/** A part of an answer, from its mark to the next one. */
export interface Element {
  readonly start: number
  /** With the mark it begins with; undefined where it is longer than any that could be compared. */
  readonly text: string | undefined
}

const longestElement = 512

/** Cuts an answer that comes in pieces into the elements that begin with a mark. What comes before the first is left out. The mark begins with a character that it has once. */
export class ElementSplitter {
  readonly #mark: string
  #matched = 0
  #text = ''
  #start = -1

  constructor(mark: string) {
    this.#mark = mark
  }

  /** The elements that this piece has ended; the piece begins at `at` characters of the answer. */
  *hear(piece: string, at: number): Iterable<Element> {
    const mark = this.#mark
    for (let i = 0; i < piece.length; i++) {
      const char = piece[i] as string
      this.#matched = char === mark[this.#matched] ? this.#matched + 1 : char === mark[0] ? 1 : 0
      if (this.#text.length <= longestElement + mark.length) this.#text += char
      if (this.#matched < mark.length) continue
      this.#matched = 0
      if (this.#start >= 0) {
        const isWhole = this.#text.length <= longestElement + mark.length
        yield { start: this.#start, text: isWhole ? this.#text.slice(0, -mark.length) : undefined }
      }
      this.#text = mark
      this.#start = at + i + 1 - mark.length
    }
  }
}
