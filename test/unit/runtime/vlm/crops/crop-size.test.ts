import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cropSize } from '../../../../../src/runtime/vlm/crops/crop-size.ts'

const rule = { mostRatio: 50, leastSide: 28 }

it.each([
  [100, 50, 100, 50],
  [1000, 20, 1400, 28],
  [1001, 20, 1335, 28],
  [5000, 50, 5000, 100],
  [3000, 1, 3000, 60],
  [10, 2000, 40, 2000],
  [20, 10, 56, 28],
  [27, 100, 28, 104],
  [60, 1, 840, 28],
  [1, 1, 28, 28],
])('%ix%i is sent as %ix%i', (width, height, sentWidth, sentHeight) => {
  expect(cropSize({ width, height }, rule).sent).toEqual({ width: sentWidth, height: sentHeight })
})

it('a short side becomes 28, but for 25, which becomes 29', () => {
  const sent = Array.from({ length: 27 }, (_, at) => cropSize({ width: at + 1, height: at + 1 }, rule).sent.width)
  expect(sent.filter((side) => side !== 28)).toEqual([29])
  expect(sent[24]).toBe(29)
})

it('only what is longer than the ratio is padded', () => {
  expect(cropSize({ width: 1000, height: 20 }, rule).padded).toEqual({ width: 1000, height: 20 })
  expect(cropSize({ width: 1001, height: 20 }, rule).padded).toEqual({ width: 1001, height: 21 })
})

it('too many pixels are scaled down, the shape stays', () => {
  expect(cropSize({ width: 4000, height: 2000 }, { ...rule, mostPixels: 2_000_000 }).sent).toEqual({ width: 2000, height: 1000 })
})

it('every crop keeps the bounds of its rule', () => {
  const side = fc.integer({ min: 1, max: 20_000 })
  fc.assert(
    fc.property(side, side, (width, height) => {
      const { padded, sent } = cropSize({ width, height }, rule)
      expect(Math.max(padded.width, padded.height) / Math.min(padded.width, padded.height)).toBeLessThanOrEqual(50)
      expect(Math.min(sent.width, sent.height)).toBeGreaterThanOrEqual(28)
      expect(padded.width).toBeGreaterThanOrEqual(width)
      expect(padded.height).toBeGreaterThanOrEqual(height)
    }),
  )
})
