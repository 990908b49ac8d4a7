import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeHtml, paragraphHtml, textHtml } from '../../../../../src/stages/assemble/viewer/escape-html.ts'

const unescaped = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

describe('escapeHtml', () => {
  it('leaves no character that ends text or an attribute, and loses none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        const html = escapeHtml(text)
        expect(html).not.toMatch(/[<>"']/)
        expect(unescaped(html)).toBe(text)
      }),
    )
  })

  it('puts a sign in place of control characters, which HTML forbids', () => {
    expect(escapeHtml('a\u0000b\u0085c\td\ne')).toBe('a\ufffdb\ufffdc\td\ne')
  })
})

describe('textHtml', () => {
  it.each([
    ['\u202egnp.exe', '<span class="control">U+202E</span>gnp.exe'],
    ['a\u0007\u0007b', 'a<span class="control">U+0007 × 2</span>b'],
    ['a\u2066b\u2069', 'a<span class="control">U+2066</span>b<span class="control">U+2069</span>'],
    ['\u{e0068}\u{e0069}<', '<span class="control">2 tag characters: hi</span>&lt;'],
    ['\u{e003c}\u{e0062}', '<span class="control">2 tag characters: &lt;b</span>'],
  ])('shows what cannot be seen in %j', (text, html) => {
    expect(textHtml(text)).toBe(html)
  })

  it.each(['نص\u200cها', '👨\u200d👩\u200d👧', 'שלום\u200f', 'soft\u00adhyphen'])('keeps the joiners and marks that scripts need in %j', (text) => {
    expect(textHtml(text)).toBe(text)
  })
})

describe('paragraphHtml', () => {
  it('folds what is longer than a screen needs, and keeps all of it', () => {
    const html = paragraphHtml('ab'.repeat(100_000), 'text', 'auto')
    expect(html).toContain('Show 180,000 more characters')
    expect(html.match(/(?:ab)+/g)?.join('').length).toBeGreaterThanOrEqual(200_000)
  })

  it('does not cut a character in two', () => {
    const html = paragraphHtml(`a${'😀'.repeat(20_000)}`, 'text', 'auto')
    expect(html).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
  })
})
