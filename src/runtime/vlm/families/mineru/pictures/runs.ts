/** Whether one value stands `least` times in a row. `counts`: which values are looked at; others break a run. */
export function hasRun(values: readonly string[], least: number, counts: (value: string) => boolean = () => true): boolean {
  let run = 0
  for (const [at, value] of values.entries()) {
    run = value === values[at - 1] ? run + 1 : 1
    if (run >= least && counts(value)) return true
  }
  return false
}

/** How often the most frequent value stands there. */
export function mostOf(values: readonly string[]): number {
  const times = new Map<string, number>()
  let most = 0
  for (const value of values) {
    const now = (times.get(value) ?? 0) + 1
    times.set(value, now)
    most = Math.max(most, now)
  }
  return most
}
