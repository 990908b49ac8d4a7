import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bold, italic, type Span, subscript, superscript, withLink } from '../../../../../src/stages/region-recognition/lines/span.ts'
import { inlineMarkdown } from '../../../../../src/stages/region-recognition/markdown/inline-markdown.ts'

const markdown = (spans: readonly Span[], links: readonly (string | undefined)[] = []) => inlineMarkdown(spans, { links })

/** Takes the marks off again: the reverse of what is written, for spans without links. */
const stripped = (text: string) =>
  text
    .replace(/(?<!\\)((?:\\\\)*)(?:(?<=\S)\*+|\*+(?=\S))/g, '$1')
    .replace(/(?<!\\)((?:\\\\)*)<\/?(?:sup|sub)>/g, '$1')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')

describe('inlineMarkdown', () => {
  it('puts marks around letters only, so that they open and close', () => {
    expect(
      markdown([
        { text: '“Bold,” ', marks: bold },
        { text: 'he said', marks: 0 },
      ]),
    ).toBe('“**Bold**,” he said')
    expect(
      markdown([
        { text: '「重要」', marks: bold },
        { text: 'な', marks: 0 },
      ]),
    ).toBe('「**重要**」な')
    expect(markdown([{ text: ' — ', marks: bold }])).toBe(' — ')
  })

  it('keeps a bracket that closes inside the marks', () => {
    expect(
      markdown([
        { text: 'Note (i)', marks: bold },
        { text: ': it', marks: 0 },
      ]),
    ).toBe('**Note (i)**: it')
  })

  it('makes one link of a link that runs over two lines', () => {
    const spans = [
      { text: 'https://', marks: withLink(italic, 0) },
      { text: 'example.org', marks: withLink(italic, 1) },
    ]
    expect(markdown(spans, ['https://example.org', 'https://example.org'])).toBe('[*https://example.org*](https://example.org)')
  })

  it('does not let two marks touch', () => {
    expect(
      markdown([
        { text: 'ab', marks: bold },
        { text: 'cd', marks: italic },
      ]),
    ).toBe('**ab**cd')
    expect(
      markdown([
        { text: 'ab ', marks: bold },
        { text: 'cd', marks: bold | italic },
      ]),
    ).toBe('**ab** ***cd***')
  })

  it('writes raised figures as tags and drops marks inside them', () => {
    expect(
      markdown([
        { text: 'x', marks: italic },
        { text: '2', marks: superscript | italic },
        { text: ' H', marks: 0 },
        { text: '2', marks: subscript },
      ]),
    ).toBe('*x*<sup>2</sup> H<sub>2</sub>')
  })

  it('keeps emphasis inside a link and an exclamation mark from making it a picture', () => {
    const link = withLink(0, 0)
    expect(
      markdown(
        [
          { text: 'see!', marks: 0 },
          { text: 'the ', marks: link },
          { text: 'site', marks: link | bold },
        ],
        ['https://e.org'],
      ),
    ).toBe('see\\![the **site**](https://e.org)')
  })

  it('shows a link without a safe target as its text', () => {
    expect(markdown([{ text: 'go', marks: withLink(0, 0) }], [undefined])).toBe('go')
  })

  it('loses no character', () => {
    const span = fc.record({
      text: fc.string({ unit: fc.constantFrom(...'ab1*_[]`<>&~#.-! 重。\\'), minLength: 1, maxLength: 6 }),
      marks: fc.constantFrom(0, bold, italic, bold | italic, superscript, subscript),
    })
    fc.assert(
      fc.property(fc.array(span, { maxLength: 6 }), (spans) => {
        expect(stripped(markdown(spans)).replace(/\s/g, '')).toBe(
          spans
            .map((s) => s.text)
            .join('')
            .replace(/\s/g, ''),
        )
      }),
      { numRuns: 3000 },
    )
  })
})
