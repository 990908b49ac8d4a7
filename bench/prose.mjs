/** Numbers in 0..1 from a seed (mulberry32): the same on every machine. */
export function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const common = 'the of and to in a is that for it as was with be by on not this are or his from at which but have an they you were their one all'.split(' ')
const syllables = 'con ver ta sta re lo mi pro cess or ment al tion um qui de ter per for mance sig ni fi cant la test ob serv ing plate ri ver'.split(' ')

/** Invented prose with the word and sentence lengths of English; text matters to no measurement. */
export class Prose {
  #random

  constructor(random) {
    this.#random = random
  }

  pick(list) {
    return list[Math.floor(this.#random() * list.length)] ?? ''
  }

  between(low, high) {
    return low + Math.floor(this.#random() * (high - low + 1))
  }

  word() {
    if (this.#random() < 0.45) return this.pick(common)
    return Array.from({ length: this.between(1, 4) }, () => this.pick(syllables)).join('')
  }

  sentence() {
    const words = Array.from({ length: this.between(6, 24) }, () => this.word())
    const text = words.join(' ').replace(/ (\w+) (\w+)$/, ', $1 $2')
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
  }

  paragraph() {
    return Array.from({ length: this.between(3, 8) }, () => this.sentence()).join(' ')
  }

  title() {
    const words = Array.from({ length: this.between(2, 6) }, () => this.word())
    return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
  }
}
