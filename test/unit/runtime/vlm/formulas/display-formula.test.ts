import { describe, expect, it } from 'vitest'
import { displayFormula } from '../../../../../src/runtime/vlm/formulas/display-formula.ts'

describe('a formula that stands by itself', () => {
  it.each([
    ['\\[ a+b \\]', 'a+b'],
    ['\\[a', 'a'],
    ['$$ x $$', 'x'],
    ['$x$', 'x'],
    ['$$\\[ x \\]$$', 'x'],
    ['\\( y \\)', 'y'],
    ['plain', 'plain'],
    ['', ''],
    ['\\[ a \\]\n\\[ b \\]', '\\begin{gathered} a \\\\ b \\end{gathered}'],
    ['$$ a $$\n$$ b $$', '\\begin{gathered} a \\\\ b \\end{gathered}'],
    ['\\[ a = b \\] (3)', 'a = b \\tag{3}'],
    ['a = b \\quad (3.1a)', 'a = b \\tag{3.1a}'],
    ['\\[ a = b \\qquad \\, (12) \\]', 'a = b \\tag{12}'],
    ['y = f (2)', 'y = f (2)'],
    ['a \\tag{1} \\quad (2)', 'a \\tag{1} \\quad (2)'],
    ['where \\( x \\) is', 'where \\( x \\) is'],
    ['\\[ a \\\\[2pt] b \\]', 'a \\\\[2pt] b'],
  ])('%s', (answer, latex) => {
    expect(displayFormula(answer)).toBe(latex)
  })
})
