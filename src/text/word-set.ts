/** Distinct words that are remembered; what comes later is not known. */
const maxWords = 200_000

/**
 * The words of a text, as hashes: a word takes a few bytes and keeps no text alive. A word that never stood there is
 * taken for known about once in 20,000 questions when the set is full.
 * Kept are words that stand alone, compounds with a hyphen (`well-known`), and how compounds begin and end (`well-`, `-known`).
 */
export class WordSet {
  readonly #hashes = new Set<number>()

  /** @param breaks ascending places in the text where a word was put together: that word is left out. */
  add(text: string, breaks: readonly number[] = []): void {
    const lower = text.toLowerCase()
    let nextBreak = 0
    let before = -1 // where the word before begins, when only a hyphen stands between
    for (let i = 0; i < lower.length; ) {
      if (!isLetter(lower.charCodeAt(i))) {
        i++
        before = -1
        continue
      }
      const from = i
      while (i < lower.length && isLetter(lower.charCodeAt(i))) i++
      while ((breaks[nextBreak] ?? i) <= from) nextBreak++
      const isPutTogether = (breaks[nextBreak] ?? i) < i
      const goesOn = isHyphen(lower.charCodeAt(i)) && isLetter(lower.charCodeAt(i + 1))
      if (isPutTogether) before = -1
      else {
        if (before >= 0) this.#putCompound(lower, before, from, i)
        else if (!goesOn) this.#put(hashOf(lower, from, i))
        before = goesOn ? from : -1
      }
      if (goesOn) i++
    }
  }

  /** @param word in any case, without punctuation but for its hyphens. */
  has(word: string): boolean {
    return this.#hashes.has(hashOf(word.toLowerCase(), 0, word.length))
  }

  #putCompound(text: string, first: number, second: number, end: number): void {
    this.#put(hashOf(text, first, end))
    this.#put(hashOf(text, first, second))
    this.#put(hashOf(text, second - 1, end))
  }

  #put(hash: number): void {
    if (this.#hashes.size < maxWords) this.#hashes.add(hash)
  }
}

/** FNV-1a over UTF-16 units, as a signed 32-bit number; all hyphens are one. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    hash = Math.imul(hash ^ (isHyphen(code) ? 0x2d : code), 0x01000193)
  }
  return hash | 0
}

const isHyphen = (code: number): boolean => code === 0x2d || code === 0x2010 || code === 0x2011

/** Of lower-case text. Writing from U+2000 on has no words that are broken at a hyphen. */
const isLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0xc0 && code < 0x2000 && code !== 0xd7 && code !== 0xf7)
