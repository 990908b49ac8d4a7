import { describe, expect, it } from 'vitest'
import { matchEnvironments } from '../../../../../src/runtime/vlm/formulas/match-environments.ts'
import { mendLatex } from '../../../../../src/runtime/vlm/formulas/mend-latex.ts'
import { unicodeLatex } from '../../../../../src/runtime/vlm/formulas/unicode-latex.ts'

describe('environments of a formula', () => {
  it.each([
    ['\\begin{array}{l} a \\end{array}', '\\begin{array}{l} a \\end{array}'],
    ['\\begin{cases} a', '\\begin{cases} a \\end{cases}'],
    ['a \\end{cases} b', 'a  b'],
    ['\\begin{array}{l} \\begin{cases} a \\end{array}', '\\begin{array}{l} \\begin{cases} a  \\end{cases}\\end{array}'],
    ['\\begin{align*} a', '\\begin{align*} a \\end{align*}'],
  ])('%s', (written, mended) => {
    expect(matchEnvironments(written)).toBe(mended)
  })
})

describe('signs in a formula', () => {
  it.each([
    ['α≤β', '\\alpha\\leq\\beta'],
    ['αx − 1', '\\alpha x - 1'],
    ['90°', '90^{\\circ}'],
    ['5 \\text{ μm } μ', '5 \\text{ μm } \\mu'],
    ['plain', 'plain'],
  ])('%s', (written, latex) => {
    expect(unicodeLatex(written)).toBe(latex)
  })
})

describe('a mended formula', () => {
  it.each([
    ['\\frac{a}{b} \\left( c \\right)', '\\frac{a}{b} \\left( c \\right)'],
    ['\\begin{array}{l} \\left( a & b} \\\\', '\\begin{array}{l} \\left( \\right. a & b \\\\ \\end{array}'],
  ])('%s', (written, mended) => {
    expect(mendLatex(written)).toBe(mended)
  })
})
