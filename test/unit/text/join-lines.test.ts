import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinLines, joinOf } from '../../../src/text/join-lines.ts'

describe('joinLines', () => {
  it.each([
    [['one', 'two'], 'one two'],
    [['vocab-', 'ulary'], 'vocabulary'],
    [['vocab\u00ad', 'ulary'], 'vocabulary'],
    [['vocab\u00ad', 'Ulary'], 'vocabUlary'],
    [['Anglo-', 'Saxon'], 'Anglo-Saxon'],
    [['COVID-', '19 cases'], 'COVID-19 cases'],
    [['state-of-', 'the-art'], 'state-of-the-art'],
    [['pre-', 'and postwar'], 'pre- and postwar'],
    [['Ein-', 'und Ausgang'], 'Ein- und Ausgang'],
    [['e-', 'mail'], 'e-mail'],
    [['someone@long-', 'name.org'], 'someone@long-name.org'],
    [['DEVELOP-', 'MENT'], 'DEVELOP-MENT'],
    [['1990-', '2000'], '1990-2000'],
    [['pages 10–', '20'], 'pages 10–20'],
    [['he said --', 'she'], 'he said -- she'],
    [['he said –', 'she'], 'he said – she'],
    [['he said—', 'she'], 'he said—she'],
    [['he said -', 'she'], 'he said - she'],
    [['计算机', '视觉'], '计算机视觉'],
    [['计算机，', '视觉'], '计算机，视觉'],
    [['使用 Python', '编程'], '使用 Python编程'],
    [['안녕하세요', '여러분'], '안녕하세요 여러분'],
    [['สวัสดี', 'ชาวโลก'], 'สวัสดีชาวโลก'],
    [['see https://example.org/a/', 'b/c.html for'], 'see https://example.org/a/b/c.html for'],
    [['see https://example.org/some-', 'thing now'], 'see https://example.org/some-thing now'],
    [['see https://example.org/x.', 'Then go'], 'see https://example.org/x. Then go'],
    [['see https://example.org/x.', 'html and'], 'see https://example.org/x.html and'],
    [['see https://example.org/x', '?q=1'], 'see https://example.org/x?q=1'],
    [['see https://example.org/x', 'and more'], 'see https://example.org/x and more'],
    [['doi:10.1016/', 'j.cell.2020'], 'doi:10.1016/j.cell.2020'],
    [['and/', 'or'], 'and/or'],
    [['  padded ', '', ' lines  '], 'padded lines'],
  ])('joins %j', (lines, text) => expect(joinLines(lines)).toBe(text))

  it('lets other occurrences of the word decide', () => {
    expect(joinLines(['a long-', 'term plan'], { keepsHyphen: (head, tail) => `${head}-${tail}` === 'long-term' })).toBe('a long-term plan')
    expect(joinLines(['to self-', 'ish'], { keepsHyphen: () => false })).toBe('to selfish')
    expect(joinLines(['DEVELOP-', 'MENT'], { keepsHyphen: () => false })).toBe('DEVELOPMENT')
  })

  it('keeps every character but hyphens and white space', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 6 }), (lines) => {
        const bare = (text: string) => text.replace(/[\s\u00ad‐-]/gu, '')
        expect(bare(joinLines(lines))).toBe(bare(lines.join('')))
      }),
    )
  })

  it('decides in bounded time on lines without a blank', () => {
    const long = `http://${'a-'.repeat(200_000)}`
    const start = process.cpuUsage()
    for (let i = 0; i < 50; i++) joinOf(long, long)
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(2000)
  })
})
