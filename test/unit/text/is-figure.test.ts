import { describe, expect, it } from 'vitest'
import { isFigure, isYear } from '../../../src/text/is-figure.ts'

describe('isFigure', () => {
  it.each(['12', '1,234.5', '-3', '(12.5)', '45%', '$ 1.2', '12 / 34', '2024-11-15', '—', '- ', 'n/a', '1.2 × 10', '<0.001', '17a', '€5'])(
    'takes %j for a figure',
    (text) => {
      expect(isFigure(text)).toBe(true)
    },
  )
  it.each(['Total', 'Row 1', 'Q1 2020', 'B2B', 'about 12', '1st quarter', 'CRITICAL'])('takes %j for words', (text) => {
    expect(isFigure(text)).toBe(false)
  })
  it('does not decide on an empty text', () => {
    expect(isFigure('  ')).toBeUndefined()
  })
})

describe('isYear', () => {
  it.each(['2003', '2003–04', '1999-2000', 'FY 2020'])('takes %j for a year', (text) => {
    expect(isYear(text)).toBe(true)
  })
  it.each(['12', '20031', '3,200', '2.003'])('takes %j for none', (text) => {
    expect(isYear(text)).toBe(false)
  })
})
