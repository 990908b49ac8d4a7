import { afterEach, describe, expect, it } from 'vitest'
import { RateMeter } from '../../../src/telemetry/rate-meter.ts'

const open: Disposable[] = []
afterEach(() => {
  for (const each of open.splice(0)) each[Symbol.dispose]()
})

function meter() {
  const totals: Record<string, number> = { pages: 0 }
  let now = 0
  const rates = new RateMeter(
    () => ({ ...totals }),
    () => now,
  )
  open.push(rates)
  const pass = (seconds: number, pagesASecond: number) => {
    for (let second = 0; second < seconds; second++) {
      now += 1000
      totals.pages = (totals.pages ?? 0) + pagesASecond
      if (now % 5000 === 0) rates.look()
    }
  }
  return { rates, totals, pass }
}

describe('the rates of the last minute', () => {
  it('are those since the beginning while that is less than a minute ago', () => {
    const { rates, pass } = meter()
    expect(rates.rates()).toEqual({ pages: 0 })
    pass(20, 3)
    expect(rates.rates()).toEqual({ pages: 3 })
  })

  it('forget what was before the minute', () => {
    const { rates, pass } = meter()
    pass(300, 10)
    pass(30, 0)
    expect(rates.rates().pages).toBeCloseTo(5, 0)
    pass(65, 0)
    expect(rates.rates()).toEqual({ pages: 0 })
  })

  it('begin at 0 for what is new, and are never negative', () => {
    const { rates, totals, pass } = meter()
    pass(10, 1)
    totals.tokens = 100
    totals.pages = 0
    expect(rates.rates()).toEqual({ pages: 0, tokens: 10 })
  })
})
