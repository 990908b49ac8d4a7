import { expect, it } from 'vitest'
import { fixText } from '../../../../../../src/runtime/vlm/families/mineru/text-fixes.ts'

it.each([
  ['see \\[ x^2 \\] ok', 'see \\( x^2 \\) ok'],
  ['refs \\[12, 14–16\\]', 'refs \\[12, 14–16\\]'],
  ['\\[\\]', '\\(\\)'],
  ['\\(a \\timesX b\\)', '\\(a \\times X b\\)'],
  ['\\(\\inp\\)', '\\(\\in p\\)'],
  ['\\(\\top \\int \\inf\\)', '\\(\\top \\int \\inf\\)'],
  ['\\(a \\timesXY\\)', '\\(a \\timesXY\\)'],
  ['a \\timesX b', 'a \\timesX b'],
  ['\\( a = ___ \\)', '\\( a = \\) ___'],
  ['x \\( ___ \\) y', 'x ___ y'],
  ['\\(a___b\\)', '\\(a\\) ___ \\(b\\)'],
  ['\\(a__b\\)', '\\(a__b\\)'],
  ['no formula ___ here', 'no formula ___ here'],
])('%j becomes %j', (text, fixed) => {
  expect(fixText(text)).toBe(fixed)
})

it('a hundred thousand characters of anything take a walk or few', () => {
  for (const piece of ['\\(', '\\)', '\\[1\\]', '\\(___\\)', '_', '\\in', '\\(\\inp\\)', ' ']) {
    expect(() => fixText(piece.repeat(Math.ceil(100_000 / piece.length)))).not.toThrow()
  }
})
