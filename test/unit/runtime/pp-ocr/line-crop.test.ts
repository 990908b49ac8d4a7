import { describe, expect, it } from 'vitest'
import { cropLine, isTall, sizeOf, turnedCounterClockwise, turnedOver } from '../../../../src/runtime/pp-ocr/line-crop.ts'
import type { Bytes } from '../../../../src/runtime/pp-ocr/resample.ts'
import type { Corners } from '../../../../src/runtime/pp-ocr/rotated-rectangle.ts'
import { paintedPage } from '../../../support/printed-page.ts'

const page = paintedPage(60, 40, (x, y) => x * 4 + (y % 4))
const box = (x0: number, y0: number, x1: number, y1: number): Corners => [x0, y0, x1, y0, x1, y1, x0, y1]
const at = (crop: Bytes, x: number, y: number): number => crop.data[y * crop.stride + x * crop.channels] as number

describe('the crop of a line', () => {
  it('of an upright box are the pixels themselves', () => {
    const crop = cropLine(page, box(10, 8, 30, 20))
    expect([crop.width, crop.height]).toEqual([20, 12])
    expect([at(crop, 0, 0), at(crop, 19, 11)]).toEqual([40 + 0, 29 * 4 + 3])
  })

  it('of a box that leans follows it', () => {
    const angle = Math.PI / 6
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    const leaning = paintedPage(80, 80, (x, y) => Math.max(0, Math.min(255, 128 + 4 * ((x + 0.5 - 40) * cos + (y + 0.5 - 40) * sin))))
    const corner = (u: number, v: number): [number, number] => [40 + u * cos - v * sin, 40 + u * sin + v * cos]
    const crop = cropLine(leaning, [...corner(-20, -5), ...corner(20, -5), ...corner(20, 5), ...corner(-20, 5)])
    expect([crop.width, crop.height]).toEqual([40, 10])
    for (const y of [1, 5, 8]) for (const x of [3, 20, 36]) expect(Math.abs(at(crop, x, y) - (128 + 4 * (x + 0.5 - 20)))).toBeLessThan(3)
  })

  it('turned counter-clockwise lets run right what ran down, and turned over swaps its ends', () => {
    const drawn = box(10, 5, 16, 35)
    const upright = cropLine(page, turnedCounterClockwise(drawn))
    expect([upright.width, upright.height]).toEqual([30, 6])
    // What was the top right corner is the new top left one.
    expect(at(upright, 0, 0)).toBe(15 * 4 + (5 % 4))
    const over = cropLine(page, turnedOver(drawn))
    expect(at(over, 0, 0)).toBe(15 * 4 + (34 % 4))
  })

  it('is tall from one and a half times its width on', () => {
    expect([isTall(box(0, 0, 20, 29)), isTall(box(0, 0, 20, 30))]).toEqual([false, true])
    expect(sizeOf([0, 0, 0, 0, 0, 0, 0, 0])).toEqual({ width: 1, height: 1 })
  })
})
