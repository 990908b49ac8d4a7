import { describe, expect, it } from 'vitest'
import type { ViewAtom } from '../../../../../src/stages/layout/tables/table-view.ts'
import { unruledCandidates } from '../../../../../src/stages/layout/tables/unruled-candidates.ts'

/** A piece of a line of a picture, not read yet: ten points high. */
const region = (x0: number, x1: number, baseline: number, index: number): ViewAtom => ({
  index,
  box: [x0, baseline - 8, x1, baseline + 2],
  baseline,
  sizePt: 10,
  own: true,
  text: '',
})

describe('lines of a picture with two pieces each', () => {
  it('are items of a list where the first piece is as narrow as a marker and close to the second', () => {
    const rows = [100, 114, 128].flatMap((y, i) => [region(50, 60, y, 2 * i), region(72, 160 + 15 * i, y, 2 * i + 1)])
    expect(unruledCandidates(rows, [])).toEqual([])
  })

  it('may be a table where the first piece is wider', () => {
    const rows = [100, 114, 128].flatMap((y, i) => [region(50, 120, y, 2 * i), region(160, 200 + 15 * i, y, 2 * i + 1)])
    expect(unruledCandidates(rows, [])).toHaveLength(1)
  })
})
