import type { Failure, FailureClass } from '../schema/failure.ts'

/** How often a page is tried in all, by the class of its failure. Input and bugs are never tried again: they would fail alike. */
const attemptsOf: Record<FailureClass, number> = {
  transient: 5,
  overload: 5,
  resource: 2,
  model: 2,
  'expired-claim': 1,
  input: 1,
  bug: 1,
}

/** Tries that a patient owner holds against a page: those between which others came through. */
const mostCharged = 10

export const isPassingClass = (failureClass: FailureClass): boolean => failureClass === 'transient' || failureClass === 'overload'

/** Exponential, from 100 ms to 5 s, with half of it random so that pages do not come back in step. */
export function retryDelayMs(attemptsMade: number, random: () => number = Math.random): number {
  const full = Math.min(5000, 100 * 2 ** (attemptsMade - 1))
  return full / 2 + (full / 2) * random()
}

/** What is remembered of a page or record that failed. */
export interface Tried {
  tries: number
  charged: number
  /** Successes of others when it failed last. */
  successes: number | undefined
}

export const untried = (): Tried => ({ tries: 0, charged: 0, successes: undefined })

/**
 * Decides whether what failed is tried again. An impatient owner gives up after a few tries: a run in one process must end.
 * A patient one charges a page with a transient failure only when another page came through since the last: an engine or store that
 * is down fails all of them, and so none. Overload says nothing about a page and is never held against it.
 */
export class RetryOwner {
  readonly #patient: boolean
  #successes = 0

  constructor(options: { readonly patient: boolean }) {
    this.#patient = options.patient
  }

  succeeded(): void {
    this.#successes++
  }

  /** Milliseconds until the next try, undefined when it has failed for good. */
  next(failure: Failure, tried: Tried): number | undefined {
    tried.tries++
    if (!this.#patient || !isPassingClass(failure.class)) return tried.tries < attemptsOf[failure.class] ? retryDelayMs(tried.tries) : undefined
    if (failure.class === 'transient' && tried.successes !== undefined && this.#successes > tried.successes) tried.charged++
    tried.successes = this.#successes
    return tried.charged < mostCharged ? retryDelayMs(Math.min(tried.tries, 20)) : undefined
  }
}
