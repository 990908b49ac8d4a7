import { PagestreamError } from '../schema/failure.ts'
import { pause } from './pause.ts'

const longestPauseMs = 5000
/** A broker that has just come back may not know who coordinates a group, which looks like a missing right: tried again where it worked before. */
const workedMs = 10_000
const mostForbidden = 10

/** Calls until it succeeds, when what fails is that no broker answers; ends without a result after the signal. */
export async function patiently<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let forbidden = mostForbidden
  for (let tries = 1; !signal.aborted; tries++) {
    const startedAt = performance.now()
    try {
      return await call()
    } catch (error) {
      const code = error instanceof PagestreamError ? error.code : undefined
      if (signal.aborted) return undefined
      if (performance.now() - startedAt > workedMs) forbidden = 0
      if (code !== 'kafka-unreachable' && !(code === 'kafka-forbidden' && forbidden++ < mostForbidden)) throw error
      await pause(Math.min(longestPauseMs, 250 * 2 ** Math.min(tries, 10)), signal)
    }
  }
  return undefined
}
