import { describe, expect, it } from 'vitest'
import { bestCut, blankRuns, columnInk } from '../../../../src/runtime/pp-ocr/column-profile.ts'
import { recognizerInput, scaledWidth } from '../../../../src/runtime/pp-ocr/recognizer-input.ts'

const crop = (width: number, height: number, grey: (x: number, y: number) => number) => ({
  data: Uint8Array.from({ length: width * height }, (_, i) => grey(i % width, Math.floor(i / width))),
  width,
  height,
  channels: 1 as const,
  stride: width,
})

describe("the recogniser's input", () => {
  it('is 48 high, as wide as the ratio asks, filled up to a multiple of 8 with middle grey on the right', () => {
    const line = recognizerInput(crop(101, 48, () => 255))
    expect([line.inkWidth, line.width, line.height, line.data.length]).toEqual([101, 104, 48, 3 * 48 * 104])
    for (const row of [0, 47]) {
      expect(line.data[row * 104 + 100]).toBeCloseTo(1, 5)
      expect(Array.from(line.data.subarray(row * 104 + 101, row * 104 + 104))).toEqual([0, 0, 0])
    }
  })

  it('maps black to -1 and white to 1', () => {
    const line = recognizerInput(crop(96, 48, (x) => (x < 48 ? 0 : 255)))
    expect([line.data[10], line.data[80]]).toEqual([expect.closeTo(-1, 5), expect.closeTo(1, 5)])
  })

  it('counts the width without a limit, so that longer lines can be split', () => {
    expect(scaledWidth(10_000, 48)).toBe(10_000)
    expect(scaledWidth(7, 50)).toBe(7)
  })
})

describe('the column profile', () => {
  const bars = (ink: number, paper: number) =>
    recognizerInput(crop(400, 48, (x, y) => (y >= 14 && y < 34 && ((x >= 40 && x < 120) || (x >= 180 && x < 260) || (x >= 270 && x < 360)) ? ink : paper)))

  it.each([
    ['dark on light', 0, 255],
    ['light on dark', 230, 40],
    ['faint', 150, 190],
  ])('finds blank columns between writing that is %s', (_, ink, paper) => {
    const runs = blankRuns(columnInk(bars(ink, paper)))
    expect(runs.map(({ from, to }) => [from, to])).toEqual([
      [0, 40],
      [120, 180],
      [260, 270],
      [360, 400],
    ])
  })

  it('cuts a line in its widest gap near the middle, never in a word when there is a gap', () => {
    expect(bestCut(columnInk(bars(0, 255)))).toBe(150)
  })
})
