import { describe, expect, it } from 'vitest'
import type { Picture } from '../../../../src/runtime/document-reader.ts'
import { inkMap } from '../../../../src/stages/text-finder/ink-map.ts'
import { withScanMarks } from '../../../../src/stages/text-finder/scan-marks.ts'
import { scanPictures } from '../../../../src/stages/text-finder/scan-pictures.ts'
import { scanRules } from '../../../../src/stages/text-finder/scan-rules.ts'
import { paintedPage } from '../../../support/printed-page.ts'
import { textLayer } from '../../../support/text-layers.ts'

const width = 1000
const height = 1300
/** Dots instead of paper grain, so that nothing is perfectly even. */
const paper = (x: number, y: number) => ((x * 31 + y * 17) % 13 === 0 ? 236 : 244)

function page(...marks: ((x: number, y: number) => boolean)[]): Picture {
  return paintedPage(width, height, (x, y) => (marks.some((mark) => mark(x, y)) ? 40 : paper(x, y)))
}
const across =
  (at: number, from: number, to: number, slope = 0, thick = 3) =>
  (x: number, y: number) =>
    x >= from && x < to && Math.abs(y - at - (x - from) * slope) < thick / 2
const down =
  (at: number, from: number, to: number, thick = 3) =>
  (x: number, y: number) =>
    y >= from && y < to && Math.abs(x - at) < thick / 2

describe('ruling lines of a scan', () => {
  const rules = (picture: Picture) => scanRules(inkMap(picture), 500, 650)

  it('are found in both directions, in points', () => {
    const found = rules(page(across(200, 100, 900), down(300, 200, 1100)))
    expect(found).toHaveLength(2)
    expect(found[0]).toMatchObject({ direction: 'horizontal', at: expect.closeTo(100, 0), from: expect.closeTo(50, -0.5), to: expect.closeTo(450, -0.5) })
    expect(found[1]).toMatchObject({ direction: 'vertical', at: expect.closeTo(150, 0), from: expect.closeTo(100, -0.5), to: expect.closeTo(550, -0.5) })
    for (const rule of found) expect(rule.thickness).toBeLessThan(3)
  })

  it.each([0.005, -0.017, 0.034])('are found whole with a slope of %f', (slope) => {
    const found = rules(page(across(400, 100, 900, slope)))
    expect(found).toHaveLength(1)
    expect((found[0]?.to ?? 0) - (found[0]?.from ?? 0)).toBeGreaterThan(380)
    expect(found[0]?.at).toBeCloseTo((400 + 400 * slope) / 2, -0.5)
  })

  it('are not letters, bars or blots', () => {
    const letters = (x: number, y: number) => y > 500 && y < 512 && x % 14 < 3
    expect(rules(page(letters, across(800, 100, 900, 0, 24), (x, y) => Math.hypot(x - 500, y - 1000) < 60))).toHaveLength(0)
  })
})

describe('pictures of a scan', () => {
  const dark = (x: number, y: number) => x > 200 && x < 700 && y > 300 && y < 700 && (x * 7 + y * 3) % 4 < 2

  it('are dark areas without writing', () => {
    const [box, ...others] = scanPictures(inkMap(page(dark)), [])
    expect(others).toHaveLength(0)
    for (const [i, edge] of [0.2, 0.23, 0.7, 0.54].entries()) expect(Math.abs((box?.[i] ?? 0) - edge)).toBeLessThan(0.025)
  })

  it('are not what writing and rules cover, nor dirt, nor the shadow along an edge', () => {
    expect(scanPictures(inkMap(page(dark)), [[0.15, 0.2, 0.75, 0.6]])).toEqual([])
    expect(scanPictures(inkMap(page((x, y) => x < 18 || (x % 97 < 2 && y % 89 < 2))), [])).toEqual([])
  })

  it('take the place of the scan itself', () => {
    const layer = textLayer({ width: 500, height: 650, pictures: [{ box: [0, 0, 500, 650], widthPx: width, heightPx: height }] })
    const marked = withScanMarks(layer, page(dark, across(1000, 100, 900)), [])
    expect(marked.pictures).toHaveLength(1)
    expect(marked.pictures[0]?.box[0]).toBeGreaterThan(80)
    expect(marked.rules).toHaveLength(1)
  })
})
