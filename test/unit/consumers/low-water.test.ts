import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LowWater } from '../../../src/consumers/low-water.ts'

describe('the low-water mark', () => {
  it('moves only over a contiguous finished prefix', () => {
    const mark = new LowWater()
    for (const offset of [5n, 6n, 7n]) mark.take(offset, 0)
    expect(mark.finish(7n)).toBeUndefined()
    expect(mark.finish(5n)).toBe(6n)
    expect(mark.finish(6n)).toBe(8n)
  })

  it('drops a record that was taken in before', () => {
    const mark = new LowWater()
    expect(mark.take(3n, 0)).toBe(true)
    expect(mark.take(3n, 0)).toBe(false)
    expect(mark.take(2n, 0)).toBe(false)
  })

  it('knows when the oldest record that is not finished was written', () => {
    const mark = new LowWater()
    expect(mark.oldestWrittenMs).toBeUndefined()
    mark.take(1n, 500)
    mark.take(2n, 700)
    mark.finish(2n)
    expect(mark.oldestWrittenMs).toBe(500)
    mark.finish(1n)
    expect(mark.oldestWrittenMs).toBeUndefined()
  })

  it('jumps over offsets that never came', () => {
    const mark = new LowWater()
    mark.take(1n, 0)
    mark.take(9n, 0)
    expect(mark.finish(1n)).toBe(9n)
    expect(mark.finish(9n)).toBe(10n)
  })

  it('never passes an unfinished record, never goes back, and ends past the last, whatever the order', () => {
    const orders = fc.integer({ min: 1, max: 40 }).chain((n) =>
      fc.shuffledSubarray(
        Array.from({ length: n }, (_, i) => i),
        { minLength: n, maxLength: n },
      ),
    )
    fc.assert(
      fc.property(orders, (order) => {
        const mark = new LowWater()
        const open = new Set(order)
        for (let i = 0; i < order.length; i++) mark.take(BigInt(i), 0)
        let last = 0n
        for (const offset of order) {
          open.delete(offset)
          const next = mark.finish(BigInt(offset))
          if (next === undefined) continue
          expect(next).toBeGreaterThan(last)
          for (const unfinished of open) expect(BigInt(unfinished)).toBeGreaterThanOrEqual(next)
          last = next
        }
        expect(last).toBe(BigInt(order.length))
      }),
    )
  })
})
