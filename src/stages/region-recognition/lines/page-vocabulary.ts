import type { Word } from '../../../schema/text-layer.ts'

const bare = /^[A-Za-z]+$/
const edges = /^[^\p{L}]+|[^\p{L}]+$/gu

/**
 * The words of a page, to settle whether a word broken at a hyphen has one of its own. Built when a broken
 * word is first met: most pages have a few, many have none.
 */
export class PageVocabulary {
  readonly #texts: () => Iterable<string>
  #words: Set<string> | undefined

  constructor(texts: () => Iterable<string>) {
    this.#texts = texts
  }

  readonly knows = (word: string): boolean => {
    this.#words ??= new Set(bareWords(this.#texts()))
    return this.#words.has(word.toLowerCase())
  }
}

export function* wordTexts(words: readonly Word[]): Iterable<string> {
  for (const word of words) yield word.text
}

function* bareWords(texts: Iterable<string>): Iterable<string> {
  for (const text of texts) if (text.length > 3) yield (bare.test(text) ? text : text.replace(edges, '')).toLowerCase()
}
