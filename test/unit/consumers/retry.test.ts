import { describe, expect, it } from 'vitest'
import { RetryOwner, untried } from '../../../src/consumers/retry.ts'
import type { Failure } from '../../../src/schema/failure.ts'

const transient: Failure = { class: 'transient', code: 'store-failed', message: 'm' }
const overload: Failure = { ...transient, class: 'overload' }
const input: Failure = { class: 'input', code: 'page-corrupt', message: 'm' }

/** How often a page is tried in all, when others come through between its tries or not. */
function tries(owner: RetryOwner, failure: Failure, { othersSucceed }: { othersSucceed: boolean }): number {
  const tried = untried()
  while (owner.next(failure, tried) !== undefined && tried.tries < 1000) if (othersSucceed) owner.succeeded()
  return tried.tries
}

describe('the owner of retries', () => {
  it('never gives a page up while everything fails', () => {
    const owner = new RetryOwner({ patient: true })
    expect(tries(owner, transient, { othersSucceed: false })).toBe(1000)
  })

  it('gives a page up that fails while others come through, but not for overload', () => {
    const owner = new RetryOwner({ patient: true })
    expect(tries(owner, transient, { othersSucceed: true })).toBe(11)
    expect(tries(owner, overload, { othersSucceed: true })).toBe(1000)
  })

  it('gives up after a few tries where nobody can wait, and at once what would fail alike', () => {
    expect(tries(new RetryOwner({ patient: false }), transient, { othersSucceed: false })).toBe(5)
    for (const patient of [true, false]) expect(tries(new RetryOwner({ patient }), input, { othersSucceed: false })).toBe(1)
  })

  it('waits longer from try to try, at most five seconds', () => {
    const owner = new RetryOwner({ patient: true })
    const tried = untried()
    const delays = Array.from({ length: 50 }, () => owner.next(transient, tried) ?? 0)
    expect(Math.max(...delays)).toBeLessThanOrEqual(5000)
    expect(delays[0]).toBeLessThanOrEqual(100)
    expect(delays.at(-1)).toBeGreaterThanOrEqual(2500)
  })
})
