import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WindowBuilder } from '../../../src/consumers/window-builder.ts'

const limits = { pages: 4, costMs: 100, ageMs: 50 }

describe('the window builder', () => {
  it('closes on pages', () => {
    const builder = new WindowBuilder<number>(limits)
    expect([1, 2, 3].map((item) => builder.add(item, 1, 0))).toEqual([undefined, undefined, undefined])
    expect(builder.add(4, 1, 0)).toMatchObject({ items: [1, 2, 3, 4], reason: 'pages' })
  })

  it('closes on expected work, and a page over the limit makes a window of its own', () => {
    const builder = new WindowBuilder<number>(limits)
    builder.add(1, 60, 0)
    expect(builder.add(2, 60, 0)).toMatchObject({ items: [1, 2], reason: 'cost', costMs: 120 })
    expect(builder.add(3, 5000, 0)).toMatchObject({ items: [3], reason: 'cost' })
  })

  it('closes when its oldest page has waited long enough, counted from the first page', () => {
    const builder = new WindowBuilder<number>(limits)
    builder.add(1, 1, 1000)
    builder.add(2, 1, 1040)
    expect(builder.dueInMs(1040)).toBe(10)
    expect(builder.tick(1049)).toBeUndefined()
    expect(builder.tick(1050)).toMatchObject({ items: [1, 2], reason: 'age' })
    expect(builder.dueInMs(1050)).toBeUndefined()
  })

  it('loses and doubles no page in any schedule and keeps every limit', () => {
    const step = fc.record({ cost: fc.integer({ min: 1, max: 150 }), wait: fc.integer({ min: 0, max: 60 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const builder = new WindowBuilder<number>(limits)
        const seen: number[] = []
        let now = 0
        steps.forEach(({ cost, wait }, i) => {
          now += wait
          const aged = builder.tick(now)
          if (aged) seen.push(...aged.items)
          const closed = builder.add(i, cost, now)
          if (!closed) return
          expect(closed.items.length).toBeLessThanOrEqual(limits.pages)
          expect(closed.costMs - cost).toBeLessThan(limits.costMs)
          seen.push(...closed.items)
        })
        seen.push(...(builder.close('drain')?.items ?? []))
        expect(seen).toEqual(steps.map((_, i) => i))
      }),
    )
  })
})
