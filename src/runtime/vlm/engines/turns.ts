import { abortable } from './abortable.ts'

/** Work under one word is done one after the other, in the order in which it came. */
export class Turns {
  /** Settles when the last one that came is done. */
  readonly #tails = new Map<string, Promise<void>>()

  /** Waits for its turn, then does the work. An abort while it waits rejects with `cancelled`, and the work is not begun. */
  async take<T>(word: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#tails.get(word) ?? Promise.resolve()
    let done: () => void = () => {}
    const own = new Promise<void>((resolve) => {
      done = resolve
    })
    const tail = before.then(() => own)
    this.#tails.set(word, tail)
    try {
      await abortable(before, signal, 'waiting for an engine that must not work beside another')
      return await work()
    } finally {
      done()
      if (this.#tails.get(word) === tail) this.#tails.delete(word)
    }
  }
}
