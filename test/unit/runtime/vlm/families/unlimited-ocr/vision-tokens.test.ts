import { describe, expect, it } from 'vitest'
import { longSidePx, sentSize } from '../../../../../../src/runtime/vlm/families/unlimited-ocr/sent-size.ts'
import { unlimitedOcr } from '../../../../../../src/runtime/vlm/families/unlimited-ocr/unlimited-ocr.ts'
import { tileGrid, visionTokens } from '../../../../../../src/runtime/vlm/families/unlimited-ocr/vision-tokens.ts'

describe('tokens of a page picture', () => {
  it.each([
    ['A4 at 72 DPI', 595, 842, 2, 3, 903],
    ['A4 at 200 DPI', 1654, 2339, 2, 3, 903],
    ['A4 at 300 DPI', 2480, 3508, 4, 6, 2733],
    ['Letter at 150 DPI', 1275, 1650, 3, 4, 1513],
    ['Letter at 300 DPI', 2550, 3300, 3, 4, 1513],
    ['544 x 743 points at 200 DPI', 1511, 2064, 3, 4, 1513],
    ['a slide', 1920, 1080, 7, 4, 3113],
    ['a small slide', 641, 361, 7, 4, 3113],
    ['A4 across at 200 DPI', 2339, 1654, 4, 3, 1503],
  ])('%s', (_, width, height, columns, rows, tokens) => {
    expect(tileGrid(width, height)).toEqual({ columns, rows })
    expect(visionTokens(width, height)).toBe(tokens)
  })

  it('are those of the whole page alone up to 640 x 640', () => {
    expect(tileGrid(640, 640)).toBeUndefined()
    expect(visionTokens(640, 640)).toBe(273)
  })

  it('stay within 32 tiles, whatever the shape', () => {
    for (const [width, height] of [
      [10_000, 1],
      [1, 10_000],
      [5000, 5000],
      [641, 641],
    ] as const) {
      const { columns = 0, rows = 0 } = tileGrid(width, height) ?? {}
      expect(columns * rows).toBeGreaterThanOrEqual(2)
      expect(columns * rows).toBeLessThanOrEqual(32)
    }
  })
})

describe('the size at which a page is sent', () => {
  it('is that of A4 at 200 DPI at most, which costs a third', () => {
    expect(longSidePx).toBe(2339)
    expect(sentSize(2480, 3508)).toEqual({ width: 1654, height: 2339, tokens: 903 })
    expect(sentSize(1654, 2339)).toEqual({ width: 1654, height: 2339, tokens: 903 })
  })

  it('is enlarged where the model would see no tiles', () => {
    expect(sentSize(600, 227)).toMatchObject({ width: 1280, height: 484 })
    expect(sentSize(100, 50)).toEqual({ width: 300, height: 150, tokens: 273 })
    expect(sentSize(1, 1)).toMatchObject({ width: 3, height: 3 })
  })
})

describe('the question of Unlimited-OCR', () => {
  it('is its prompt to the letter, greedy, with the guard that it was published with', () => {
    const { pageAsk } = unlimitedOcr
    expect(pageAsk.prompt).toBe('document parsing.')
    expect(pageAsk.system).toBeUndefined()
    expect(pageAsk.maxTokens).toBe(8192)
    expect(pageAsk.decoding).toMatchObject({ temperature: 0, repetitionPenalty: 1, noRepeat: { tokens: 35, window: 128 } })
  })
})
