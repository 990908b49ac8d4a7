import { describe, expect, it } from 'vitest'
import { dominantScript, isCjk, isCjkChar, isRightToLeft, scriptOf, usesSpaces } from '../../../src/text/script.ts'

describe('script', () => {
  it.each([
    ['Hello wörld', 'latin'],
    ['Привет', 'cyrillic'],
    ['Ελλάδα', 'greek'],
    ['计算机视觉 AI', 'han'],
    ['これはペンです', 'kana'],
    ['안녕하세요', 'hangul'],
    ['مرحبا', 'arabic'],
    ['שלום', 'hebrew'],
    ['สวัสดี', 'thai'],
    ['नमस्ते', 'devanagari'],
    ['𠀋𠀋', 'han'],
    ['12.5 %', undefined],
  ])('names the script of %j', (text, script) => expect(dominantScript(text)).toBe(script))

  it('tells which writing goes from right to left and which goes without blanks', () => {
    expect(isRightToLeft('מחיר 120 USD ליחידה')).toBe(true)
    expect(isRightToLeft('price 120')).toBe(false)
    expect(isCjk('第2章 PDF を読む話')).toBe(true)
    expect(usesSpaces('hangul')).toBe(true)
    expect(usesSpaces('thai')).toBe(false)
  })

  it('counts full-width punctuation but not full-width digits as CJK', () => {
    expect(isCjkChar('，'.codePointAt(0) ?? 0)).toBe(true)
    expect(isCjkChar('。'.codePointAt(0) ?? 0)).toBe(true)
    expect(isCjkChar('３'.codePointAt(0) ?? 0)).toBe(false)
    expect(isCjkChar('한'.codePointAt(0) ?? 0)).toBe(false)
  })

  it('keeps its ranges in ascending order', () => {
    for (let code = 0x20; code < 0x300; code++) {
      const isLetter = /\p{L}/u.test(String.fromCodePoint(code))
      if (isLetter && code < 0x2b0 && code !== 0xb5) expect(scriptOf(code), code.toString(16)).toBe('latin')
      if (!isLetter && code < 0x2b0) expect(scriptOf(code), code.toString(16)).toBeUndefined()
    }
  })
})
