import { describe, expect, it } from 'vitest'
import { convexHull, cornersOf, grow, smallestRectangle } from '../../../../src/runtime/pp-ocr/rotated-rectangle.ts'

const turned = (width: number, height: number, degrees: number, count = 400): number[] => {
  const angle = (degrees * Math.PI) / 180
  const points: number[] = []
  for (let i = 0; i <= count; i++) {
    for (const [u, v] of [
      [(i / count - 0.5) * width, -height / 2],
      [(i / count - 0.5) * width, height / 2],
    ] as const) {
      points.push(100 + u * Math.cos(angle) - v * Math.sin(angle), 100 + u * Math.sin(angle) + v * Math.cos(angle))
    }
  }
  return points
}

describe('the smallest rectangle', () => {
  it.each([0, 3, 17, 44, 60, 89, -12, -80])('finds a rectangle that is turned by %i degrees', (degrees) => {
    const found = smallestRectangle(convexHull(turned(80, 12, degrees)))
    expect(found.x).toBeCloseTo(100, 6)
    expect(found.y).toBeCloseTo(100, 6)
    expect([found.width, found.height].sort((a, b) => a - b)).toEqual([expect.closeTo(12, 6), expect.closeTo(80, 6)])
  })

  it('names corners clockwise from the top left of what is written, whatever side the rectangle was found by', () => {
    for (const degrees of [0, 5, -5, 30, -30]) {
      const [x0, y0, x1, y1, x2, y2, x3, y3] = cornersOf(smallestRectangle(convexHull(turned(80, 12, degrees))))
      expect(Math.hypot(x1 - x0, y1 - y0)).toBeCloseTo(80, 6)
      expect((Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI).toBeCloseTo(degrees, 6)
      expect((x1 - x0) * (y3 - y0) - (y1 - y0) * (x3 - x0)).toBeGreaterThan(0)
      expect([x0 + x2, y0 + y2]).toEqual([expect.closeTo(x1 + x3, 6), expect.closeTo(y1 + y3, 6)])
    }
  })

  it('keeps the corners of a narrow upright box in order when it leans', () => {
    for (const degrees of [87, 89, 91, 94]) {
      const [x0, y0, x1, y1, , , x3, y3] = cornersOf(smallestRectangle(convexHull(turned(80, 12, degrees))))
      expect(Math.hypot(x1 - x0, y1 - y0)).toBeCloseTo(12, 6)
      expect(x1).toBeGreaterThan(x0)
      expect(y3 - y0).toBeGreaterThan(70)
      expect(Math.abs(x3 - x0)).toBeLessThan(10)
    }
  })

  it('grows on every side about its centre', () => {
    expect(grow({ x: 5, y: 6, width: 10, height: 4, angle: 0.1 }, 2)).toEqual({ x: 5, y: 6, width: 14, height: 8, angle: 0.1 })
  })

  it('survives fewer than three points', () => {
    expect(smallestRectangle(convexHull([3, 4]))).toMatchObject({ width: 0, height: 0 })
    expect(smallestRectangle(convexHull([3, 4, 9, 4])).width).toBeCloseTo(6)
  })
})
