import { expect, it } from 'vitest'
import { formulaSpans, mapFormulas } from '../../../../../src/runtime/vlm/formulas/formula-spans.ts'

const spansOf = (text: string): string[] => formulaSpans(text).map(({ start, end }) => text.slice(start, end))

it.each([
  ['a \\(x\\) b \\[y\\] c', ['\\(x\\)', '\\[y\\]']],
  ['\\( a \\[ b \\]', ['\\[ b \\]']],
  ['\\( a \\( b \\)', ['\\( a \\( b \\)']],
  ['\\( a \\[ b \\) c \\]', ['\\( a \\[ b \\)']],
  ['\\) \\(', []],
  ['', []],
])('%j holds %j', (text, spans) => {
  expect(spansOf(text)).toEqual(spans)
})

it('a formula is rewritten, what stands around it stays', () => {
  expect(mapFormulas('a \\[ x \\] b', (inner, display) => `${display}<${inner}>`)).toBe('a true< x > b')
})

it('a hundred thousand delimiters without a partner take one walk', () => {
  expect(formulaSpans('\\('.repeat(100_000))).toEqual([])
  expect(formulaSpans('\\[\\)'.repeat(100_000))).toEqual([])
})
