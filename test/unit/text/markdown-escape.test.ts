import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeLinkTarget, escapeMarkdown, fenceFor } from '../../../src/text/markdown-escape.ts'

const withoutBackslashes = (markdown: string) => markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1')

describe('escapeMarkdown', () => {
  it.each([
    ['*bold*', '\\*bold\\*'],
    ['a * b', 'a * b'],
    ['_em_ and snake_case', '\\_em\\_ and snake_case'],
    ['`code`', '\\`code\\`'],
    ['[1] and [2, 3]', '[1] and [2, 3]'],
    ['[a](b)', '[a\\](b)'],
    ['[a]: b', '[a\\]: b'],
    ['note[^1]', 'note\\[^1]'],
    ['<script>', '\\<script>'],
    ['a < b', 'a < b'],
    ['&amp; R&D', '\\&amp; R&D'],
    ['# no heading', '\\# no heading'],
    ['#1 of all', '#1 of all'],
    ['- no item', '\\- no item'],
    ['+ no item', '\\+ no item'],
    ['* no item', '\\* no item'],
    ['-5 degrees', '-5 degrees'],
    ['1. no item', '1\\. no item'],
    ['1) no item', '1\\) no item'],
    ['1.5 mm', '1.5 mm'],
    ['> no quote', '\\> no quote'],
    ['---', '\\---'],
    ['===', '\\==='],
    ['~~~', '\\~\\~\\~'],
    ['~5 to ~6', '\\~5 to \\~6'],
    ['about ~5', 'about ~5'],
    ['one\n# two', 'one\n\\# two'],
    ['C:\\new', 'C:\\new'],
    ['C:\\*', 'C:\\\\\\*'],
    ['a | b', 'a | b'],
  ])('escapes %j', (text, markdown) => expect(escapeMarkdown(text)).toBe(markdown))

  it('escapes pipes in tables, brackets in links, nothing at line start when told so', () => {
    expect(escapeMarkdown('a | b', { inTable: true })).toBe('a \\| b')
    expect(escapeMarkdown('[1]', { inLink: true })).toBe('\\[1\\]')
    expect(escapeMarkdown('# x', { lineStart: false })).toBe('# x')
  })

  it('loses nothing: without its backslashes the Markdown is the text', () => {
    const text = fc.string({ unit: fc.constantFrom(...'\\`*_[]<&|~#>+-=.)!1aé \n(:/x;^'), maxLength: 40 })
    fc.assert(
      fc.property(text, fc.boolean(), fc.boolean(), fc.boolean(), (value, lineStart, inTable, inLink) => {
        expect(withoutBackslashes(escapeMarkdown(value, { lineStart, inTable, inLink }))).toBe(value)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('link targets and fences', () => {
  it('encodes what would end the target', () => {
    expect(escapeLinkTarget('https://e.org/a (b)<c>')).toBe('https://e.org/a%20%28b%29%3Cc%3E')
  })
  it('fences with more backticks than the code has', () => {
    expect(fenceFor('x')).toBe('```')
    expect(fenceFor('a ```` b')).toBe('`````')
  })
})
