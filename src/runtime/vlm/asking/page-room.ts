import { PagestreamError } from '../../../schema/failure.ts'
import type { Clock } from './clock.ts'

/** Drawing pages is work of the processor's: more of them at once are not ready sooner. */
const mostPreparing = 16
/** Questions beyond the slots, at least: while one is answered the next page is drawn. */
const leastAhead = 2
/** Questions for each slot, with those that pages are still to ask, where pages are looked at first: a look takes as long as some of its blocks together … */
const expectedASlot = 4
/** … and where slots are idle all the same. */
const mostExpectedASlot = 8

/** A page that was let in. */
export interface PageTicket {
  /** The page is going to ask so many questions more, `withinMs` if it asks them at all. Not called before its first question: it is being prepared. */
  expect(questions: number, withinMs?: number): void
}

interface Caller {
  readonly questions: number
  readonly letIn: (ticket: PageTicket) => void
  readonly refuse: (error: Error) => void
}

interface LetIn {
  questions: number
  isPreparing: boolean
  until: number
}

/**
 * When another page is worth preparing: as long as the questions under way and waiting, and those that pages which were let in are still to ask, do not
 * fill the slots one and a half times, or some times over where questions come in two steps. More would only cost memory; fewer would let slots go idle
 * while a page is drawn and looked at. What is to come is counted in, so that pages are let in one by one and not in bursts with nothing in between.
 */
export class PageRoom implements Disposable {
  readonly #clock: Clock
  readonly #onRoom: () => void
  readonly #callers = new Set<Caller>()
  readonly #pages = new Set<LetIn>()
  #stopWake: (() => void) | undefined
  #isClosed = false

  /** `onRoom`: there may be room though nothing has happened; call `letIn`. */
  constructor(clock: Clock, onRoom: () => void) {
    this.#clock = clock
    this.#onRoom = onRoom
  }

  /** `questions`: that the page is going to ask, as far as can be told. Resolves when it is let in; rejects with `cancelled`. */
  wait(questions: number, signal?: AbortSignal): Promise<PageTicket> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted || this.#isClosed) return reject(cancelled())
      const abort = () => {
        this.#callers.delete(caller)
        reject(cancelled())
      }
      const caller: Caller = {
        questions,
        letIn: (ticket) => {
          signal?.removeEventListener('abort', abort)
          resolve(ticket)
        },
        refuse: (error) => {
          signal?.removeEventListener('abort', abort)
          reject(error)
        },
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#callers.add(caller)
    })
  }

  /** `questions`: under way and waiting. `slots`: that may be used; of an engine that is away, less than none. */
  letIn(questions: number, slots: number): void {
    this.#forget()
    for (const caller of this.#callers) {
      if (!this.#hasRoom(caller.questions, questions, slots)) break
      this.#callers.delete(caller)
      caller.letIn(this.#admit(caller.questions))
    }
    this.#stopWake?.()
    const first = [...this.#pages].reduce((least, { until }) => Math.min(least, until), Number.POSITIVE_INFINITY)
    const isWaiting = this.#callers.size > 0 && first < Number.POSITIVE_INFINITY
    this.#stopWake = isWaiting ? this.#clock.after(Math.max(1, first - this.#clock.now()), this.#onRoom) : undefined
  }

  [Symbol.dispose](): void {
    this.#isClosed = true
    this.#stopWake?.()
    for (const { refuse } of this.#callers) refuse(cancelled())
    this.#callers.clear()
  }

  #hasRoom(asks: number, questions: number, slots: number): boolean {
    let [preparing, expected] = [0, questions]
    for (const page of this.#pages) {
      expected += page.questions
      if (page.isPreparing) preparing += 1
    }
    if (preparing >= mostPreparing) return false
    const ahead = slots + Math.max(leastAhead, Math.ceil(slots / 2))
    if (expected < (asks > 1 ? Math.max(ahead, slots * expectedASlot) : ahead)) return true
    return questions + preparing < slots && expected < slots * mostExpectedASlot
  }

  #admit(questions: number): PageTicket {
    const page: LetIn = { questions, isPreparing: true, until: Number.POSITIVE_INFINITY }
    this.#pages.add(page)
    return {
      expect: (more, withinMs = Number.POSITIVE_INFINITY) => {
        Object.assign(page, { questions: more, isPreparing: false, until: this.#clock.now() + withinMs })
        if (more === 0) this.#pages.delete(page)
        this.#onRoom()
      },
    }
  }

  #forget(): void {
    const now = this.#clock.now()
    for (const page of this.#pages) if (page.until <= now) this.#pages.delete(page)
  }
}

const cancelled = (): PagestreamError => new PagestreamError('cancelled', 'waiting for room at the engine: stopped')
