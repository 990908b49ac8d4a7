import { describe, expect, it } from 'vitest'
import { partsOfPage } from '../../../../../src/runtime/vlm/parts/parts-of-page.ts'
import { partsNeeded, splitPage } from '../../../../../src/runtime/vlm/parts/split-page.ts'
import type { Box } from '../../../../../src/schema/geometry.ts'
import { DrawnPage } from '../../../../support/drawn-page.ts'

/** Boxes in pixels of the drawn page. */
const inPixels = (boxes: readonly Box[]): number[][] => boxes.map(([x0, y0, x1, y1]) => [x0 * 566, y0 * 800, x1 * 566, y1 * 800].map(Math.round))
const split = (page: DrawnPage, parts: number): number[][] => inPixels(splitPage(page, parts))

/** Fails if a part's edge inside the page crosses ink. */
function expectCutsInWhite(page: DrawnPage, boxes: readonly number[][]): void {
  const isInk = (x: number, y: number): boolean => (page.data[y * page.width + x] ?? 250) < 218
  for (const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] of boxes) {
    for (let x = x0; x < x1; x++) {
      if (y0 > 0) expect(isInk(x, y0)).toBe(false)
      if (y1 < page.height) expect(isInk(x, y1)).toBe(false)
    }
    for (let y = y0; y < y1; y++) {
      if (x0 > 0) expect(isInk(x0, y)).toBe(false)
      if (x1 < page.width) expect(isInk(x1, y)).toBe(false)
    }
  }
}

describe('a page in parts', () => {
  it('is cut between its columns', () => {
    const page = new DrawnPage().text(40, 50, 270, 750).text(296, 50, 526, 750)
    const parts = split(page, 2)
    expect(parts).toEqual([
      [0, 0, 283, 800],
      [283, 0, 566, 800],
    ])
  })

  it('is cut between all columns at once, and then within those that hold more than their share', () => {
    const page = new DrawnPage().text(40, 50, 190, 750).text(208, 50, 358, 750).text(376, 50, 526, 400)
    expect(split(page, 2)).toHaveLength(3)
    const parts = split(page, 4)
    expect(parts.map(([x0, , x1]) => [x0, x1])).toEqual([
      [0, 199],
      [0, 199],
      [199, 367],
      [199, 367],
      [367, 566],
    ])
    expectCutsInWhite(page, parts)
  })

  it('has its title above its columns, and what spans them below, in parts of their own', () => {
    const page = new DrawnPage().text(40, 40, 526, 80).text(40, 100, 270, 600).text(296, 100, 526, 600).text(40, 630, 526, 760)
    const parts = split(page, 4)
    expectCutsInWhite(page, parts)
    expect(parts.map(([x0 = 0, , x1 = 0]) => [x0, x1])).toEqual([
      [0, 566],
      [0, 283],
      [283, 566],
      [0, 566],
    ])
  })

  it('has what stands in its margin in a part of its own', () => {
    const page = new DrawnPage().fill(12, 200, 20, 600, 90).text(60, 50, 280, 750).text(306, 50, 526, 750)
    expect(split(page, 2).map(([x0, , x1]) => [x0, x1])).toEqual([
      [0, 40],
      [40, 292],
      [292, 566],
    ])
  })

  it('is cut between paragraphs rather than lines where it has one column', () => {
    const page = new DrawnPage().text(40, 50, 526, 350).text(40, 370, 526, 750)
    const parts = split(page, 2)
    expect(parts).toHaveLength(2)
    const [, , , cut = 0] = parts[0] ?? []
    expect(cut).toBeGreaterThan(345)
    expect(cut).toBeLessThan(371)
  })

  it('is cut between lines where there is nothing else, each part with its share of the ink', () => {
    const page = new DrawnPage().text(40, 50, 526, 750)
    const parts = split(page, 4)
    expect(parts).toHaveLength(4)
    expectCutsInWhite(page, parts)
    for (const [, y0 = 0, , y1 = 0] of parts) expect(Math.min(750, y1) - Math.max(50, y0)).toBeLessThan(300)
  })

  it('never is cut between the columns of a table', () => {
    const page = new DrawnPage()
    for (let y = 60; y < 740; y += 12)
      for (const [x, width] of [
        [50, 60],
        [150, 25],
        [240, 40],
        [330, 18],
        [440, 50],
      ] as const)
        page.fill(x, y, x + ((y * 7) % width) + 6, y + 6)
    for (const [x0, , x1] of split(page, 4)) expect([x0, x1]).toEqual([0, 566])
  })

  it('is cut as if there were no frame, no line between columns, no grain and no light writing on a dark page', () => {
    const plain = new DrawnPage().text(40, 50, 270, 750).text(296, 50, 526, 750)
    const ruled = new DrawnPage().text(40, 50, 270, 750).text(296, 50, 526, 750)
    ruled.fill(10, 10, 556, 12).fill(10, 788, 556, 790).fill(10, 10, 12, 790).fill(554, 10, 556, 790)
    expect(split(ruled, 2).length).toBeGreaterThanOrEqual(2)
    expectCutsInWhite(plain, split(ruled, 2))
    const dark = new DrawnPage().text(40, 50, 270, 750).text(296, 50, 526, 750)
    for (let i = 0; i < dark.data.length; i++) dark.data[i] = 255 - (dark.data[i] as number) + ((i * 31) % 17)
    expect(split(dark, 2)).toEqual(split(plain, 2))
  })

  it('is whole where it is blank, full of ink, or not to be divided', () => {
    const whole = [[0, 0, 566, 800]]
    expect(split(new DrawnPage(), 4)).toEqual(whole)
    expect(split(new DrawnPage().fill(0, 0, 566, 790), 4)).toEqual(whole)
    expect(split(new DrawnPage().text(40, 50, 526, 750), 1)).toEqual(whole)
  })

  it('is the same from a picture of any size', async () => {
    const page = new DrawnPage().text(40, 50, 270, 750).text(296, 50, 526, 750)
    const data = new Uint8Array(1132 * 1600 * 3)
    for (let y = 0; y < 1600; y++)
      for (let x = 0; x < 1132; x++) data.fill(page.data[(y >> 1) * 566 + (x >> 1)] as number, (y * 1132 + x) * 3, (y * 1132 + x) * 3 + 3)
    expect(inPixels(await partsOfPage({ data, width: 1132, height: 1600, channels: 3, dpi: 136 }, 2))).toEqual(split(page, 2))
  })
})

describe('how many parts', () => {
  it('is one up to 1,500 tokens, then one for each thousand', () => {
    expect(partsNeeded({ outputTokens: 1500, finish: 'stop' })).toBe(1)
    expect(partsNeeded({ outputTokens: 1501, finish: 'stop' })).toBe(2)
    expect(partsNeeded({ outputTokens: 3100, finish: 'stop' })).toBe(4)
    expect(partsNeeded({ outputTokens: 40, finish: 'length' })).toBe(2)
    expect(partsNeeded({ outputTokens: 8192, finish: 'length' })).toBe(6)
    expect(partsNeeded({ outputTokens: 30_000, finish: 'stop' })).toBe(12)
  })
})
