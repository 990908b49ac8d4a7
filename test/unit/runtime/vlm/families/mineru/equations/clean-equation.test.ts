import { expect, it } from 'vitest'
import { bracketEquation, cleanEquation } from '../../../../../../../src/runtime/vlm/families/mineru/equations/clean-equation.ts'

it.each([
  ['\\[ a+b \\]', 'a+b'],
  ['\\[a', 'a'],
  ['a\\]', 'a'],
  ['\\[', ''],
  ['\\left( a + b', '\\left( \\right. a + b'],
  ['a + b \\right)', 'a + b \\left. \\right)'],
  ['\\begin{array}{l} \\left( a', '\\begin{array}{l} \\left( a'],
  ['x_a_b', 'x_a_b'],
  ['a \\coloneqq b', 'a := b'],
  ['a \\eqqcolon b', 'a =: b'],
  ['\\Bigl {(}', '\\Bigl('],
  ['\\bigg{\\}}', '\\bigg\\}'],
  ['\\Bigl{\\rangle}x', '\\Bigl\\rangle x'],
  ['A \\bigtimes B', 'A \\times B'],
  ['\\frac{a}{b', '\\frac{a}b'],
  ['\\{a\\}{', '\\{a\\}'],
])('%j becomes %j, whichever fixes are chosen', (latex, cleaned) => {
  expect(cleanEquation(latex)).toBe(cleaned)
  expect(cleanEquation(latex, 'reference')).toBe(cleaned)
})

it.each([
  ['x_{a}_{b}+1', 'x+1', 'x_{a}{}_{b}+1'],
  ['x_{a_{1}}_{b}', 'x', 'x_{a_{1}}{}_{b}'],
  ['x_{a} _ {b}_{c}', 'x_{c}', 'x_{a}{} _ {b}{}_{c}'],
  ['a<b', 'a< b', 'a<b'],
  ['a < b', 'a <  b', 'a < b'],
  ['\\[ \\left( x_{1}_{2} \\coloneqq \\big{)} < {y \\]', '\\left( \\right. x := \\big) <  y', '\\left( \\right. x_{1}{}_{2} := \\big) < y'],
])('%j becomes %j with the fixes of the reference, and %j with ours', (latex, reference, safe) => {
  expect(cleanEquation(latex, 'reference')).toBe(reference)
  expect(cleanEquation(latex)).toBe(safe)
})

it.each([
  ['\\left( a \\rightarrow b', '\\left( \\right. a \\rightarrow b', 'an arrow closes nothing'],
  ['a \\rightarrow b & c', 'a \\rightarrow b & c', 'an arrow opens nothing'],
  ['\\left( a & b', '\\left( \\right. a & b', 'blanks stay'],
  ['a & \\left( b \\\\ c', 'a & \\left( \\right. b \\\\ c', 'each cell counts, within an array or not'],
  [
    '\\left( \\begin{array}{l} a & b \\\\ \\end{array} \\right) \\left(',
    '\\left( \\begin{array}{l} a & b \\\\ \\end{array} \\right) \\left( \\right.',
    'a pair may hold an array',
  ],
  ['\\left( a \\& b \\right) \\left[ c', '\\left( a \\& b \\right) \\left[ \\right. c', 'an escaped ampersand separates nothing'],
  ['\\left( a \\right] \\left( b', '\\left( a \\right] \\left( \\right. b', 'any delimiter closes any other'],
  ['\\end{array} \\left( a', '\\end{array} \\left( a', 'environments that do not nest are left alone'],
  ['\\biggl{[} a \\biggr{]}', '\\biggl[ a \\biggr]', 'brackets stay brackets'],
  ['\\Biggm{\\{}\\Biggm{\\langle}', '\\Biggm\\{\\Biggm\\langle ', 'every size knows every delimiter'],
])('%j becomes %j: %s', (latex, cleaned) => {
  expect(cleanEquation(latex)).toBe(cleaned)
})

const sizes = ['big', 'Big', 'bigg', 'Bigg'].flatMap((size) => ['', 'l', 'r', 'm'].map((side) => size + side))

it.each(sizes)('\\%s loses the braces around its delimiter', (size) => {
  for (const delimiter of ['(', ')', '[', ']', '|', '\\|', '\\{', '\\}']) {
    expect(cleanEquation(`\\${size}{${delimiter}}x`)).toBe(`\\${size}${delimiter}x`)
    expect(cleanEquation(`\\${size} {${delimiter}}x`)).toBe(`\\${size}${delimiter}x`)
  }
  for (const delimiter of ['\\langle', '\\rangle']) expect(cleanEquation(`\\${size}{${delimiter}}x`)).toBe(`\\${size}${delimiter} x`)
  expect(cleanEquation(`\\${size}  {(}`)).toBe(`\\${size}  {(}`)
})

it('brackets are set once', () => {
  expect(bracketEquation('a')).toBe('\\[\na\n\\]')
  expect(bracketEquation(' \\[ a ')).toBe('\\[ a\n\\]')
  expect(bracketEquation('\\[a\\]')).toBe('\\[a\\]')
})

it('a hundred thousand characters of anything take a walk or few', () => {
  for (const piece of ['_{a}', '_{', '{', '}', '\\left(', '\\right)', '\\left( &', '\\begin{array}', '\\big{(}', '_{a} ', '<', '\\[', '\\', ' ', '_{ _{} ']) {
    expect(() => cleanEquation(piece.repeat(Math.ceil(100_000 / piece.length)))).not.toThrow()
  }
})
