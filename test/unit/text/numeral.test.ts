import { describe, expect, it } from 'vitest'
import { chineseValue, decimalValue, numeralValue, romanValue } from '../../../src/text/numeral.ts'

describe('numerals', () => {
  it('reads decimal digits of any script', () => {
    expect(decimalValue('42')).toBe(42)
    expect(decimalValue('٤٢')).toBe(42)
    expect(decimalValue('４２')).toBe(42)
    expect(decimalValue('4a')).toBeUndefined()
    expect(decimalValue('')).toBeUndefined()
  })
  it('reads Roman numerals in their usual spelling only', () => {
    expect(romanValue('XIV')).toBe(14)
    expect(romanValue('xcix')).toBe(99)
    expect(romanValue('iiii')).toBeUndefined()
    expect(romanValue('Xi')).toBeUndefined()
  })
  it('reads Chinese numerals', () => {
    expect(chineseValue('十')).toBe(10)
    expect(chineseValue('二十三')).toBe(23)
    expect(chineseValue('一百零五')).toBe(105)
    expect(chineseValue('二〇')).toBe(20)
    expect(numeralValue('十二')).toBe(12)
  })
})
