import { type Log, type LogEntry, sentenceOf } from './log.ts'

const everyMs = 1_000
/** Kinds that are told apart within a second; all further ones are one kind. */
const mostKinds = 64

/** Hands entries on with how many of their kind were left out before them. */
export type Sink = (entry: LogEntry, leftOut: number) => void

interface Kind {
  untilMs: number
  last: LogEntry | undefined
  leftOut: number
}

/**
 * One entry a kind and second: the first at once; of those that follow within the second, the last, with how many were left out. A kind is a code in a
 * stage and lane, or a sentence without a code.
 */
export class BoundedLog implements Disposable {
  readonly #sink: Sink
  readonly #now: () => number
  readonly #kinds = new Map<string, Kind>()
  #timer: NodeJS.Timeout | undefined

  constructor(sink: Sink, now: () => number = () => performance.now()) {
    this.#sink = sink
    this.#now = now
  }

  readonly log: Log = (entry) => {
    const name = this.#nameOf(entry)
    const known = this.#kinds.get(name)
    if (known) {
      if (known.last) known.leftOut++
      known.last = entry
      return
    }
    this.#kinds.set(name, { untilMs: this.#now() + everyMs, last: undefined, leftOut: 0 })
    this.#timer ??= setInterval(() => this.tick(), everyMs / 4).unref()
    this.#sink(entry, 0)
  }

  /** Says what has waited for its second to end. */
  tick(): void {
    const now = this.#now()
    for (const [name, kind] of this.#kinds) if (kind.untilMs <= now) this.#flush(name, kind, now)
    if (this.#kinds.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Says all that waits; what comes after is bounded as before. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    for (const { last, leftOut } of this.#kinds.values()) if (last) this.#sink(last, leftOut)
    this.#kinds.clear()
  }

  #flush(name: string, { last, leftOut }: Kind, now: number): void {
    this.#kinds.delete(name)
    if (!last) return
    this.#kinds.set(name, { untilMs: now + everyMs, last: undefined, leftOut: 0 })
    this.#sink(last, leftOut)
  }

  #nameOf(entry: LogEntry): string {
    const { level, stage, lane, code, device } = entry
    const name = code ? `${level} ${stage} ${lane} ${code} ${device}` : `${level} ${sentenceOf(entry)}`
    return this.#kinds.size < mostKinds || this.#kinds.has(name) ? name : 'others'
  }
}
