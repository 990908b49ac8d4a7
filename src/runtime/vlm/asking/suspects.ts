import { createHash } from 'node:crypto'
import type { Ask } from '../engine.ts'

/** Lost so often, a question is asked alone: whether it is to blame is plain then, and no other is lost with it. */
const aloneFrom = 2
/** … and so often, it is to blame. */
const mostLosses = 5
/** More than an engine has slots. The oldest are forgotten first. */
const mostKept = 4096

/**
 * Questions over which the connection to the engine was lost, one of which may be what breaks it. Those of a page that is asked about anew are the same
 * ones: known by what they ask. A loss counts where the engine has answered something since the last one: an outage is one loss, however long.
 */
export class Suspects {
  readonly #losses = new Map<string, { count: number; answers: number }>()
  readonly #names = new WeakMap<Ask, string>()

  /** `answers`: how many the engine has given so far. */
  lost(ask: Ask, answers: number): void {
    const name = this.#nameOf(ask)
    const before = this.#losses.get(name)
    if (before?.answers === answers) return
    this.#losses.delete(name)
    this.#losses.set(name, { count: (before?.count ?? 0) + 1, answers })
    for (const oldest of this.#losses.keys()) {
      if (this.#losses.size <= mostKept) break
      this.#losses.delete(oldest)
    }
  }

  /** It is answered, or given up. */
  cleared(ask: Ask): void {
    if (this.#losses.size > 0) this.#losses.delete(this.#nameOf(ask))
  }

  isSuspect(ask: Ask): boolean {
    return this.#countOf(ask) > 0
  }

  isToBeAlone(ask: Ask): boolean {
    return this.#countOf(ask) >= aloneFrom
  }

  isToBlame(ask: Ask): boolean {
    return this.#countOf(ask) >= mostLosses
  }

  #countOf(ask: Ask): number {
    return this.#losses.size === 0 ? 0 : (this.#losses.get(this.#nameOf(ask))?.count ?? 0)
  }

  #nameOf(ask: Ask): string {
    const known = this.#names.get(ask)
    if (known !== undefined) return known
    const hash = createHash('sha256').update(JSON.stringify([ask.task, ask.system, ask.prompt]))
    if (ask.picture) hash.update(ask.picture.bytes)
    const name = hash.digest('base64')
    this.#names.set(ask, name)
    return name
  }
}
