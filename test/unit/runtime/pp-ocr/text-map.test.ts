import { describe, expect, it } from 'vitest'
import { maskComponents } from '../../../../src/runtime/pp-ocr/mask-components.ts'
import { meanInside, regionsOfMap, unclipDistance } from '../../../../src/runtime/pp-ocr/text-map.ts'

const width = 160
const height = 96
function map(...boxes: [number, number, number, number, number][]): Float32Array {
  const values = new Float32Array(width * height)
  for (const [x0, y0, x1, y1, value] of boxes) for (let y = y0; y < y1; y++) values.fill(value, y * width + x0, y * width + x1)
  return values
}

describe('regions of a probability map', () => {
  it('grow by area times 1.5 over the perimeter', () => {
    expect(unclipDistance(100, 10)).toBeCloseTo((100 * 10 * 1.5) / 220, 9)
    // 60 x 9 pixels are 59 x 8 between the centres of their outermost pixels.
    const [region] = regionsOfMap(map([40, 40, 100, 49, 0.9]), width, height, width, height)
    const distance = unclipDistance(59, 8)
    const [x0, y0, , , x2, y2] = region?.corners ?? []
    expect((x0 as number) * width).toBeCloseTo(40.5 - distance, 1)
    expect((y0 as number) * height).toBeCloseTo(40.5 - distance, 1)
    expect((x2 as number) * width).toBeCloseTo(99.5 + distance, 1)
    expect((y2 as number) * height).toBeCloseTo(48.5 + distance, 1)
    expect(region?.score).toBeCloseTo(0.9, 3)
  })

  it('need a mean probability of 0.6 and a height of 3 pixels', () => {
    expect(regionsOfMap(map([10, 10, 80, 20, 0.59]), width, height, width, height)).toHaveLength(0)
    expect(regionsOfMap(map([10, 10, 80, 20, 0.61]), width, height, width, height)).toHaveLength(1)
    expect(regionsOfMap(map([10, 10, 80, 13, 0.9]), width, height, width, height)).toHaveLength(0)
  })

  it('come from top to bottom, one for each connected piece, within the picture', () => {
    const regions = regionsOfMap(map([0, 80, 150, 96, 0.9], [5, 10, 60, 18, 0.9], [90, 10, 150, 18, 0.9]), width, height, 1600, 960)
    expect(regions).toHaveLength(3)
    const tops = regions.map((region) => region.corners[1])
    expect(tops).toEqual([...tops].sort((a, b) => a - b))
    for (const value of regions.flatMap((region) => region.corners)) expect(value).toBeGreaterThanOrEqual(0)
    for (const value of regions.flatMap((region) => region.corners)) expect(value).toBeLessThanOrEqual(1)
  })

  it('follow a line that leans', () => {
    const values = new Float32Array(width * height)
    for (let x = 20; x < 140; x++) for (let y = 0; y < 8; y++) values[(40 + y + Math.round((x - 80) * 0.1)) * width + x] = 0.95
    const [region, ...others] = regionsOfMap(values, width, height, width, height)
    expect(others).toHaveLength(0)
    const [x0, y0, x1, y1] = region?.corners ?? []
    expect((((y1 as number) - (y0 as number)) * height) / (((x1 as number) - (x0 as number)) * width)).toBeCloseTo(0.1, 1)
  })

  it('score by the mean inside the rectangle, border included', () => {
    const values = map([10, 10, 20, 20, 1])
    expect(meanInside(values, width, height, [10, 10, 19, 10, 19, 19, 10, 19])).toBeCloseTo(1, 9)
    expect(meanInside(values, width, height, [10, 10, 29, 10, 29, 19, 10, 19])).toBeCloseTo(0.5, 9)
  })
})

describe('connected pieces of a mask', () => {
  it('join over corners and round a hole, and come largest first', () => {
    const values = new Float32Array(8 * 8)
    for (const [x, y] of [
      [0, 0],
      [1, 1],
      [2, 0],
      [2, 2],
      [6, 6],
    ] as const)
      values[y * 8 + x] = 1
    const pieces = maskComponents(values, 8, 8, 0.3, 10)
    expect(pieces.map((piece) => piece.pixels)).toEqual([4, 1])
    expect(maskComponents(values, 8, 8, 0.3, 1)).toHaveLength(1)
  })

  it('join arms that meet only below', () => {
    const values = new Float32Array(9 * 5)
    for (let y = 0; y < 5; y++) for (const x of [0, 4, 8]) values[y * 9 + x] = 1
    values.fill(1, 4 * 9, 5 * 9)
    expect(maskComponents(values, 9, 5, 0.3, 10).map((piece) => piece.pixels)).toEqual([21])
  })
})
