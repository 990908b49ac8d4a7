import { expect, it } from 'vitest'
import { combineEquations } from '../../../../../../../src/runtime/vlm/families/mineru/equations/equation-blocks.ts'

it('formulas become the lines of one, and several tags become numbers', () => {
  expect(combineEquations(['a=1 \\tag{1}', 'b=2 \\tag {2}'])).toBe('\\begin{array}{l} a=1 (1) \\\\ b=2 (2) \\\\ \\end{array}')
})

it('a single tag stays', () => {
  expect(combineEquations(['a=1 \\tag{1}', 'b=2'])).toBe('\\begin{array}{l} a=1 \\tag{1} \\\\ b=2 \\\\ \\end{array}')
})
