import { describe, expect, it } from 'vitest'
import { RestartBudget } from '../../../../src/runtime/processes/restart-budget.ts'

describe('RestartBudget', () => {
  const limits = { most: 4, withinMs: 1000, firstMs: 10, longestMs: 30 }

  it('waits longer before each restart, up to a bound, and gives up', () => {
    const budget = new RestartBudget(limits)
    expect([0, 1, 2, 3, 4].map((now) => budget.next(now))).toEqual([10, 20, 30, 30, undefined])
  })

  it('forgets restarts after it has run for long', () => {
    const budget = new RestartBudget(limits)
    for (const now of [0, 1, 2, 900]) {
      budget.next(now)
      budget.runs(now)
    }
    expect(budget.next(1900)).toBe(10)
  })

  it('does not count time in which it did not run', () => {
    const budget = new RestartBudget(limits)
    for (const now of [0, 5000, 10_000, 15_000]) budget.next(now)
    budget.runs(20_000)
    expect(budget.next(20_999)).toBeUndefined()
  })
})
