import type { FailureCode, PagestreamError } from '../../../schema/failure.ts'
import { growingPauseMs } from './clock.ts'

/** How often a question is sent again, by what it failed with. What is not named is not tried again: the same question fails the same way. */
const mostRetries: Readonly<Partial<Record<FailureCode, number>>> = {
  ...{ 'engine-busy': 4, 'engine-failed': 2, 'engine-memory': 2, 'engine-unreachable': 5 },
  // Once: the server may have lost the question, but a wait for nothing is a long one.
  'engine-timeout': 1,
}

const [firstPauseMs, longestPauseMs] = [500, 10_000]

/** `failures`: how often it has failed before. */
export function isTriedAgain({ code }: PagestreamError, failures: number): boolean {
  return failures < (mostRetries[code] ?? 0)
}

export function retryPauseMs(failures: number, random: () => number): number {
  return growingPauseMs(failures, firstPauseMs, longestPauseMs, random)
}
