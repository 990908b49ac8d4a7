import { describe, expect, it } from 'vitest'
import { classifySubpath, type Subpath } from '../../../../../src/runtime/documents/pdf/subpath.ts'

const path = (points: readonly (readonly [number, number])[], closed = false): Subpath => ({
  xs: points.map(([x]) => x),
  ys: points.map(([, y]) => y),
  curved: false,
  curves: [],
  closed,
})

describe('classifySubpath', () => {
  it('takes axis-parallel strokes for lines, though they lean by a hair', () => {
    expect(
      classifySubpath(
        path([
          [10, 10],
          [210, 10.2],
          [210.1, 60],
        ]),
      ).kind,
    ).toBe('lines')
  })

  it('takes a slanted line drawn in tiny steps for a shape', () => {
    const steps = Array.from({ length: 200 }, (_, i) => [10 + 0.5 * i, 10 + 0.2 * i] as const)
    expect(classifySubpath(path(steps)).kind).toBe('other')
  })

  it('knows a rectangle by its corners', () => {
    const corners = [
      [10, 10],
      [60, 10],
      [60, 30],
      [10, 30],
    ] as const
    expect(classifySubpath(path(corners, true)).kind).toBe('rectangle')
  })
})
