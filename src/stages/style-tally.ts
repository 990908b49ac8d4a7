/** Characters by style. Most lines and blocks are of one style: only a second one needs a map. */
export class StyleTally {
  #style = -1
  #chars = 0
  #all: Map<number, number> | undefined

  /** @param style index into the styles of the text layer. */
  add(style: number, chars: number): void {
    if (this.#all) this.#all.set(style, (this.#all.get(style) ?? 0) + chars)
    else if (style === this.#style) this.#chars += chars
    else if (this.#style < 0) {
      this.#style = style
      this.#chars = chars
    } else
      this.#all = new Map([
        [this.#style, this.#chars],
        [style, chars],
      ])
  }

  /** In the order in which the styles were first met. */
  entries(): Iterable<readonly [style: number, chars: number]> {
    if (this.#all) return this.#all
    return this.#style < 0 ? [] : [[this.#style, this.#chars]]
  }

  /** The style of most characters, the first of equals; -1 for none. */
  most(): number {
    if (!this.#all) return this.#style
    let [best, most] = [-1, -1]
    for (const [style, chars] of this.#all) {
      if (chars > most) {
        best = style
        most = chars
      }
    }
    return best
  }
}
