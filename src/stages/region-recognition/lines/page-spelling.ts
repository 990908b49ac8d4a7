import type { LineText } from '../../../runtime/text-reader.ts'
import type { Word } from '../../../schema/text-layer.ts'
import { spelledWithHyphen } from '../../../text/broken-word.ts'
import { WordSet } from '../../../text/word-set.ts'

/**
 * How a page spells its words, to settle whether a word broken at a hyphen has one of its own. The words are gathered
 * when a broken word is first met: most pages have a few, many have none.
 */
export class PageSpelling {
  readonly #words: readonly Word[]
  readonly #texts: ReadonlyMap<number, LineText>
  #known: WordSet | undefined

  constructor(words: readonly Word[], texts: ReadonlyMap<number, LineText>) {
    this.#words = words
    this.#texts = texts
  }

  readonly keepsHyphen = (head: string, tail: string): boolean | undefined => spelledWithHyphen(head, tail, this.#gathered())

  #gathered(): WordSet {
    if (this.#known) return this.#known
    const known = new WordSet()
    for (const { text } of this.#words) known.add(text)
    for (const { text } of this.#texts.values()) known.add(text)
    this.#known = known
    return known
  }
}
