import { describe, expect, it } from 'vitest'
import { renderSize } from '../../../../src/runtime/documents/render-size.ts'

const letter = { width: 612, height: 792 }

describe('renderSize', () => {
  it('gives the page at the resolution asked for', () => {
    expect(renderSize(letter, { dpi: 200, angle: 0, maxPixels: 1e8 })).toMatchObject({ width: 1700, height: 2200, dpi: 200, left: 0, top: 0 })
  })

  it('swaps the sides of a page that is turned by a quarter', () => {
    expect(renderSize(letter, { dpi: 72, angle: 90, maxPixels: 1e8 })).toMatchObject({ width: 792, height: 612 })
  })

  it('lowers the resolution of a page that would have too many pixels', () => {
    const size = renderSize(letter, { dpi: 600, angle: 0, maxPixels: 1_000_000 })
    expect(size.width * size.height).toBeLessThan(1_002_000)
    expect(size.width * size.height).toBeGreaterThan(980_000)
    expect(size.dpi).toBeLessThan(110)
  })

  it('keeps the pixels of an absurd page within the limit', () => {
    const size = renderSize({ width: 2e9, height: 10 }, { dpi: 200, angle: 0, maxPixels: 4e7 })
    expect(size.width * size.height).toBeLessThanOrEqual(4.1e7)
    expect(size.width).toBeLessThanOrEqual(32_000)
  })

  it('counts only the pixels of the part that is rendered', () => {
    const size = renderSize(letter, { dpi: 200, angle: 0, region: [0.5, 0.25, 1, 0.5], maxPixels: 1e6 })
    expect(size).toMatchObject({ dpi: 200, left: 850, top: 550, width: 850, height: 550, pageWidthPx: 1700, pageHeightPx: 2200 })
  })

  it('gives a part outside the page one pixel on its border', () => {
    const size = renderSize(letter, { dpi: 72, angle: 0, region: [1.2, 1.2, 1.5, 1.5], maxPixels: 1e6 })
    expect(size).toMatchObject({ left: 611, top: 791, width: 1, height: 1 })
  })
})
