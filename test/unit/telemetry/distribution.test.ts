import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bounds, Distribution } from '../../../src/telemetry/distribution.ts'

describe('a distribution', () => {
  it('counts each value in exactly the first bucket that is not below it, and adds all up', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1000, noNaN: true })), (values) => {
        const spread = new Distribution('seconds')
        for (const value of values) spread.observe(value)
        expect(spread.count).toBe(values.length)
        expect(spread.counts.reduce((sum, count) => sum + count, 0)).toBe(values.length)
        expect(spread.sum).toBeCloseTo(
          values.reduce((sum, value) => sum + value, 0),
          6,
        )
        const below = spread.counts.slice(0, 4).reduce((sum, count) => sum + count, 0)
        expect(below).toBe(values.filter((value) => value <= (bounds.seconds[3] ?? 0)).length)
      }),
    )
  })

  it('counts what no clock can have measured as nothing', () => {
    const spread = new Distribution('seconds')
    spread.observe(-3)
    spread.observe(Number.NaN)
    expect([spread.count, spread.sum, spread.counts[0]]).toEqual([2, 0, 2])
  })

  it('keeps of each bucket the last value that had a trace', () => {
    const spread = new Distribution('pages')
    spread.observe(3, 'a')
    spread.observe(4, 'b')
    spread.observe(4)
    spread.observe(1000, 'c')
    expect(spread.exemplars.filter((exemplar) => exemplar !== undefined)).toMatchObject([
      { traceId: 'b', value: 4 },
      { traceId: 'c', value: 1000 },
    ])
  })

  it('crosses threads as it is', () => {
    const spread = new Distribution('share')
    spread.observe(0.3, 'a')
    expect(structuredClone(spread)).toEqual({ ...spread })
  })
})
