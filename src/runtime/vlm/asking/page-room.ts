import { PagestreamError } from '../../../schema/failure.ts'
import type { Clock } from './clock.ts'

/** A page that was let in and has asked nothing so long is taken for one that has nothing to ask. */
const grantMs = 2000
/** Drawing pages is work of the processor's: more of them at once are not ready sooner. */
const mostPreparing = 16
/** Questions beyond the slots, at least: while one is answered the next page is drawn. */
const leastAhead = 2

interface Caller {
  readonly letIn: () => void
  readonly refuse: (error: Error) => void
}

/**
 * When another page is worth preparing: as long as the questions under way and waiting, and the first ones of pages that are being prepared, do not fill
 * the slots one and a half times. More would only cost memory, fewer would let slots go idle while a page is drawn.
 */
export class PageRoom implements Disposable {
  readonly #clock: Clock
  readonly #onRoom: () => void
  readonly #callers = new Set<Caller>()
  /** When pages were let in that have not asked yet. */
  readonly #grants: number[] = []
  #stopWake: (() => void) | undefined

  /** `onRoom`: there may be room though nothing has happened; call `letIn`. */
  constructor(clock: Clock, onRoom: () => void) {
    this.#clock = clock
    this.#onRoom = onRoom
  }

  /** Resolves when the page is let in; rejects with `cancelled`. */
  wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(cancelled())
      const abort = () => {
        this.#callers.delete(caller)
        reject(cancelled())
      }
      const caller: Caller = {
        letIn: () => {
          signal?.removeEventListener('abort', abort)
          resolve()
        },
        refuse: reject,
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#callers.add(caller)
    })
  }

  /** A question has come: of a page that was let in, or of one before it. */
  asked(): void {
    this.#grants.shift()
  }

  /** `questions`: under way and waiting. `slots`: that may be used. */
  letIn(questions: number, slots: number): void {
    const wanted = slots + Math.max(leastAhead, Math.ceil(slots / 2))
    this.#forget()
    for (const caller of this.#callers) {
      if (questions + this.#grants.length >= wanted || this.#grants.length >= mostPreparing) break
      this.#callers.delete(caller)
      this.#grants.push(this.#clock.now())
      caller.letIn()
    }
    this.#stopWake?.()
    const [oldest] = this.#grants
    const isWaiting = this.#callers.size > 0 && oldest !== undefined
    this.#stopWake = isWaiting ? this.#clock.after(Math.max(1, oldest + grantMs - this.#clock.now()), this.#onRoom) : undefined
  }

  [Symbol.dispose](): void {
    this.#stopWake?.()
    for (const { refuse } of this.#callers) refuse(cancelled())
    this.#callers.clear()
  }

  #forget(): void {
    const end = this.#clock.now() - grantMs
    while ((this.#grants[0] ?? Number.POSITIVE_INFINITY) <= end) this.#grants.shift()
  }
}

const cancelled = (): PagestreamError => new PagestreamError('cancelled', 'waiting for room at the engine: stopped')
