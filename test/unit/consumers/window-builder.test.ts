import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WindowBuilder } from '../../../src/consumers/window-builder.ts'

const limits = { pages: 4, costMs: 100, bytes: 1000, ageMs: 50 }
const weight = (costMs: number, bytes = 0) => ({ costMs, bytes })

describe('the window builder', () => {
  it('closes on pages', () => {
    const builder = new WindowBuilder<number>(limits)
    expect([1, 2, 3].map((item) => builder.add(item, weight(1), 0))).toEqual([undefined, undefined, undefined])
    expect(builder.add(4, weight(1), 0)).toMatchObject({ items: [1, 2, 3, 4], reason: 'pages' })
  })

  it('closes on expected work, and a page over the limit makes a window of its own', () => {
    const builder = new WindowBuilder<number>(limits)
    builder.add(1, weight(60), 0)
    expect(builder.add(2, weight(60), 0)).toMatchObject({ items: [1, 2], reason: 'cost', costMs: 120 })
    expect(builder.add(3, weight(5000), 0)).toMatchObject({ items: [3], reason: 'cost' })
  })

  it('closes on bytes, and a page over the limit makes a window of its own', () => {
    const builder = new WindowBuilder<number>(limits)
    builder.add(1, weight(1, 600), 0)
    expect(builder.add(2, weight(1, 600), 0)).toMatchObject({ items: [1, 2], reason: 'bytes' })
    expect(builder.add(3, weight(1, 5000), 0)).toMatchObject({ items: [3], reason: 'bytes' })
  })

  it('closes when its oldest page has waited long enough, counted from the first page', () => {
    const builder = new WindowBuilder<number>(limits)
    builder.add(1, weight(1), 1000)
    builder.add(2, weight(1), 1040)
    expect(builder.dueInMs(1040)).toBe(10)
    expect(builder.tick(1049)).toBeUndefined()
    expect(builder.tick(1050)).toMatchObject({ items: [1, 2], reason: 'age' })
    expect(builder.dueInMs(1050)).toBeUndefined()
  })

  it('loses and doubles no page in any schedule and keeps every limit', () => {
    const step = fc.record({
      costMs: fc.integer({ min: 1, max: 150 }),
      bytes: fc.integer({ min: 0, max: 1500 }),
      wait: fc.integer({ min: 0, max: 60 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const builder = new WindowBuilder<number>(limits)
        const seen: number[] = []
        let now = 0
        steps.forEach(({ costMs, bytes, wait }, i) => {
          now += wait
          const aged = builder.tick(now)
          if (aged) seen.push(...aged.items)
          const closed = builder.add(i, { costMs, bytes }, now)
          if (!closed) return
          expect(closed.items.length).toBeLessThanOrEqual(limits.pages)
          expect(closed.costMs - costMs).toBeLessThan(limits.costMs)
          const bytesBefore = closed.items.slice(0, -1).reduce((sum, at) => sum + (steps[at]?.bytes ?? 0), 0)
          expect(bytesBefore).toBeLessThan(limits.bytes)
          seen.push(...closed.items)
        })
        seen.push(...(builder.close('drain', now)?.items ?? []))
        expect(seen).toEqual(steps.map((_, i) => i))
      }),
      { numRuns: 3000 },
    )
  })
})
