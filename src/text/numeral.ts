/**
 * The value of a numeral as printed in lists and headings: decimal digits of any script, full-width
 * ones, Chinese numerals up to 999. Undefined for anything else.
 */
export function numeralValue(text: string): number | undefined {
  return decimalValue(text) ?? chineseValue(text)
}

/** Zeros of the decimal digits of Unicode that documents use: ASCII, Arabic-Indic, Persian, Devanagari, Bengali, Thai, full-width. */
const zeros = [0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]

export function decimalValue(text: string): number | undefined {
  if (text.length === 0 || text.length > 9) return undefined
  let value = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const zero = zeros.find((z) => code >= z && code <= z + 9)
    if (zero === undefined) return undefined
    value = value * 10 + code - zero
  }
  return value
}

const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 }
const canonicalRoman = /^m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/

/** The value of a Roman numeral in its usual spelling and one letter case; undefined for others. */
export function romanValue(text: string): number | undefined {
  const small = text.toLowerCase()
  if (text === '' || (text !== small && text !== text.toUpperCase()) || !canonicalRoman.test(small)) return undefined
  let value = 0
  for (let i = 0; i < small.length; i++) {
    const digit = romanDigits[small[i] ?? ''] ?? 0
    value += digit < (romanDigits[small[i + 1] ?? ''] ?? 0) ? -digit : digit
  }
  return value
}

const chineseDigits = '〇一二三四五六七八九'

export function chineseValue(text: string): number | undefined {
  if (!/^[〇零一二三四五六七八九十百]{1,5}$/u.test(text)) return undefined
  let total = 0
  let digit = 0
  for (const sign of text) {
    if (sign === '十') {
      total += (digit || 1) * 10
      digit = 0
    } else if (sign === '百') {
      total += (digit || 1) * 100
      digit = 0
    } else digit = sign === '零' ? 0 : digit * 10 + chineseDigits.indexOf(sign)
  }
  return total + digit
}
