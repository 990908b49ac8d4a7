import { describe, expect, it } from 'vitest'
import { estimateType } from '../../../../../src/stages/assemble/survey/estimated-type.ts'

/** Points of a box that a text of this size fills, as a model draws it: from the top of the first line to the bottom of the last. */
const box = (lines: number, sizePt: number) => lines * 1.2 * sizePt

describe('type that is known by its box', () => {
  it('is that of the one line that fills it', () => {
    const { sizePt, lines } = estimateType('A heading of one line', 21 * 7, box(1, 14))
    expect(lines).toBe(1)
    expect(sizePt).toBeCloseTo(14, -0.5)
  })

  it('is no larger for a text of two lines', () => {
    const one = estimateType('A heading of one line', 21 * 7, box(1, 14))
    const two = estimateType('A heading that is so long that it does not fit into one line of its column', 40 * 7, box(2, 14))
    expect(two.lines).toBe(2)
    expect(two.sizePt / one.sizePt).toBeGreaterThan(0.88)
    expect(two.sizePt / one.sizePt).toBeLessThan(1.12)
  })

  it.each([3, 12, 40])('counts the lines of a paragraph of %i to a tenth', (lines) => {
    const { sizePt, lines: found } = estimateType('word '.repeat((lines * 96 - 40) / 5), 96 * 5, box(lines, 10))
    expect(Math.abs(found - lines)).toBeLessThanOrEqual(Math.ceil(lines / 10))
    expect(Math.abs(sizePt - 10)).toBeLessThan(1.5)
  })

  it('knows that ideographs are as wide as high', () => {
    expect(estimateType('这是一个标题', 6 * 14, box(1, 14)).lines).toBe(1)
    expect(estimateType('这是一个很长的标题需要两行', 7 * 14, box(2, 14)).lines).toBe(2)
  })

  it('does not take the LaTeX of a formula for so many letters', () => {
    expect(estimateType('The case \\( \\mathbf{x}_{\\mathrm{max}} \\leq \\varepsilon \\)', 120, box(1, 12)).lines).toBe(1)
  })

  it('is unknown without words or without a place', () => {
    expect(estimateType(' ', 100, 10)).toEqual({ sizePt: 0, lines: 0 })
    expect(estimateType('words', 0, 10)).toEqual({ sizePt: 0, lines: 0 })
    expect(estimateType('x'.repeat(1_000_000), 1, 1).lines).toBeLessThanOrEqual(200)
  })
})
