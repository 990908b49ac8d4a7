/** Time, so that tests can move it. */
export interface Clock {
  /** Milliseconds from any beginning on, never back. */
  now(): number
  /** Calls `act` once, later; the result takes it back. */
  after(ms: number, act: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
}

/** A pause that doubles with each try, between half of it and all of it: many that wait do not come back in step. */
export function growingPauseMs(tries: number, firstMs: number, longestMs: number, random: () => number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(tries, 30)) * (0.5 + random() / 2)
}
