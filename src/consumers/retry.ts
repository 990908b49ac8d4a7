import type { FailureClass } from '../schema/failure.ts'

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

export const shouldRetry = (failureClass: FailureClass, attemptsMade: number): boolean => attemptsMade < attemptsOf[failureClass]

/** Exponential, from 100 ms to 5 s, with half of it random so that pages do not come back in step. */
export function retryDelayMs(attemptsMade: number, random: () => number = Math.random): number {
  const full = Math.min(5000, 100 * 2 ** (attemptsMade - 1))
  return full / 2 + (full / 2) * random()
}
