import { describe, expect, it } from 'vitest'
import { RetryOwner, untried } from '../../../src/consumers/retry.ts'
import type { Failure } from '../../../src/schema/failure.ts'

const transient: Failure = { class: 'transient', code: 'store-failed', message: 'm' }
const overload: Failure = { ...transient, class: 'overload' }
const input: Failure = { class: 'input', code: 'page-corrupt', message: 'm' }

const patience = { attempts: 10, ms: 0 }

/** How often a page is tried in all, when others come through between its tries or not. */
function tries(owner: RetryOwner, failure: Failure, { othersSucceed }: { othersSucceed: boolean }): number {
  const tried = untried()
  while (owner.next(failure, tried) !== undefined && tried.tries < 1000) if (othersSucceed) owner.succeeded()
  return tried.tries
}

describe('the owner of retries', () => {
  it('never gives a page up while everything fails', () => {
    const owner = new RetryOwner({ patience })
    expect(tries(owner, transient, { othersSucceed: false })).toBe(1000)
  })

  it('gives a page up that fails while others come through, but not for overload', () => {
    const owner = new RetryOwner({ patience })
    expect(tries(owner, transient, { othersSucceed: true })).toBe(11)
    expect(tries(owner, overload, { othersSucceed: true })).toBe(1000)
  })

  it('gives up after a few tries where nobody can wait, and at once what would fail alike', () => {
    expect(tries(new RetryOwner({}), transient, { othersSucceed: false })).toBe(5)
    for (const owner of [new RetryOwner({ patience }), new RetryOwner({})]) expect(tries(owner, input, { othersSucceed: false })).toBe(1)
  })

  it('gives a page up on an idle system once what failed has answered apart from it, and for that failure only', () => {
    const owner = new RetryOwner({ patience })
    const [mine, other] = [untried(), untried()]
    for (let i = 0; i < 10; i++) {
      expect(owner.next(transient, mine)).toBeDefined()
      expect(owner.next({ ...transient, code: 'kafka-unreachable' }, other)).toBeDefined()
      owner.answered('store-failed')
    }
    expect(owner.next(transient, mine)).toBeUndefined()
    expect(owner.next({ ...transient, code: 'kafka-unreachable' }, other)).toBeDefined()
  })

  it('holds nothing against pages that need an engine while others come through without it, only its own answers', () => {
    const owner = new RetryOwner({ patience })
    const away: Failure = { ...transient, code: 'engine-unreachable' }
    expect(tries(owner, away, { othersSucceed: true })).toBe(1000)
    const tried = untried()
    for (let i = 0; i < 11; i++) {
      owner.answered('engine-unreachable')
      if (owner.next(away, tried) === undefined) expect(i).toBe(10)
    }
    expect(tried.charged).toBe(10)
  })

  it('gives up what fails at a place of its own without any sign from others', () => {
    expect(tries(new RetryOwner({ patience }), { ...transient, code: 'input-unreachable' }, { othersSucceed: false })).toBe(10)
  })

  it('gives nothing up before its time', () => {
    const owner = new RetryOwner({ patience: { attempts: 3, ms: 60_000 } })
    const tried = untried()
    const next = (atMs: number) => {
      owner.succeeded()
      return owner.next(transient, tried, atMs)
    }
    for (let i = 0; i < 50; i++) expect(next(1000 * i)).toBeDefined()
    expect(next(60_999)).toBeDefined()
    expect(next(61_000)).toBeUndefined()
  })

  it('waits longer from try to try, at most five seconds', () => {
    const owner = new RetryOwner({ patience })
    const tried = untried()
    const delays = Array.from({ length: 50 }, () => owner.next(transient, tried) ?? 0)
    expect(Math.max(...delays)).toBeLessThanOrEqual(5000)
    expect(delays[0]).toBeLessThanOrEqual(100)
    expect(delays.at(-1)).toBeGreaterThanOrEqual(2500)
  })

  it('knows an engine that was away for everyone from one that a single page cannot reach', () => {
    const owner = new RetryOwner({})
    const away: Failure = { class: 'transient', code: 'engine-unreachable', message: 'm' }
    const tried = untried()
    while (owner.next(away, tried) !== undefined) expect(tried.tries).toBeLessThan(10)
    expect([owner.wasAway(away, tried), owner.wasAway(transient, tried)]).toEqual([true, false])
    expect(owner.wasAway({ ...overload, code: 'engine-busy' }, tried)).toBe(true)
    owner.succeeded()
    expect(owner.wasAway(away, tried)).toBe(false)
  })
})
