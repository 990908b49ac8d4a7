import { describe, expect, it } from 'vitest'
import { prose, SyntheticPage } from '../../../../support/synthetic-page.ts'

/** A curve with axes that reach beyond it, between two paragraphs. */
function plotPage(): SyntheticPage {
  const page = new SyntheticPage()
  page.column(prose('a', 4, 440), 60, 80)
  page.drawings.push([112, 170, 380, 287])
  page.rules.push({ direction: 'horizontal', at: 290, from: 110, to: 400, thickness: 0.5 })
  page.rules.push({ direction: 'vertical', at: 110, from: 160, to: 290, thickness: 0.5 })
  page.column(prose('b', 4, 440), 60, 380)
  return page
}

const kinds = (page: SyntheticPage) => page.blocks().map((b) => b.kind)
const labelsOf = (page: SyntheticPage) => {
  const figure = page.blocks().find((b) => b.kind === 'figure' || b.kind === 'chart')
  return (figure?.lines ?? []).flatMap((l) => (l.words ?? []).map((w) => page.words[w]?.text)).sort()
}

describe('findFigures', () => {
  it('takes the axes of a curve and what stands between them into the figure', () => {
    const page = plotPage()
    for (const [i, x] of [150, 210, 270, 330].entries()) page.write(`${i + 1}`, x, 286, { size: 7 })
    expect(kinds(page)).toEqual(['text', 'chart', 'text'])
    const figure = page.blocks()[1]
    expect((figure?.box[2] ?? 0) * page.width).toBeCloseTo(400, 0)
    expect(labelsOf(page)).toEqual(['1', '2', '3', '4'])
  })

  it('keeps ticks, rows of names and the turned name of an axis with a chart that holds no writing', () => {
    const page = plotPage()
    for (const [i, y] of [180, 210, 240, 270].entries()) page.write(`${50 - 10 * i}`, 98, y, { size: 7 })
    page.write('Jan Feb Mar Apr May', 140, 300, { size: 7, space: 40 })
    page.write('metres', 90, 240, { size: 7, angle: 270 })
    expect(kinds(page)).toEqual(['text', 'chart', 'text'])
    expect(labelsOf(page)).toEqual(['20', '30', '40', '50', 'Apr', 'Feb', 'Jan', 'Mar', 'May', 'metres'])
  })

  it('adds a legend that stands in a box beside the drawing', () => {
    const page = plotPage()
    page.fills.push({ box: [404, 170, 470, 200], stroked: true })
    page.write('outer', 430, 182, { size: 8 })
    page.write('inner', 430, 194, { size: 8 })
    expect(kinds(page)).toEqual(['text', 'figure', 'text'])
    expect(labelsOf(page)).toEqual(['inner', 'outer'])
  })

  it('leaves text beside a drawing alone', () => {
    const page = plotPage()
    page.write('the shore of the inlet', 404, 240)
    expect(page.read()).toContain('text: the shore of the inlet')
  })

  it('takes a grid of signs for no table', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 4, 440), 60, 80)
    for (let i = 0; i <= 4; i++) {
      page.rules.push({ direction: 'horizontal', at: 200 + 30 * i, from: 100, to: 220, thickness: 0.5 })
      page.rules.push({ direction: 'vertical', at: 100 + 30 * i, from: 200, to: 320, thickness: 0.5 })
    }
    for (let i = 0; i < 16; i++) page.write('∗', 112 + 30 * (i % 4), 218 + 30 * Math.floor(i / 4))
    expect(kinds(page)).not.toContain('table')
  })
})
