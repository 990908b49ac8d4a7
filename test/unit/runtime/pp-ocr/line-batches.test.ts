import { describe, expect, it } from 'vitest'
import { lineBatches, readingCostMs } from '../../../../src/runtime/pp-ocr/line-batches.ts'
import type { TextRegion } from '../../../../src/schema/page.ts'
import { paintedPage } from '../../../support/printed-page.ts'

const page = paintedPage(1000, 1000, () => 255)
const region = (width: number, height: number): TextRegion => ({ corners: [0, 0, width, 0, width, height, 0, height], score: 1 })

describe('batches of lines', () => {
  it('hold every line once, the dearest first', () => {
    const regions = [0.2, 0.9, 0.5, 0.7, 0.1].map((width) => region(width, 0.03))
    const batches = lineBatches(regions, page, 60)
    expect(batches.length).toBeGreaterThan(1)
    expect(batches.flatMap((batch) => batch.indices)).toEqual([1, 3, 2, 0, 4])
  })

  it('count a line that runs down the page twice, for it may be read both ways', () => {
    expect(readingCostMs(region(0.03, 0.9), page)).toBeGreaterThan(1.8 * readingCostMs(region(0.9, 0.03), page))
  })

  it('are none for no lines', () => {
    expect(lineBatches([], page, 100)).toEqual([])
  })
})
