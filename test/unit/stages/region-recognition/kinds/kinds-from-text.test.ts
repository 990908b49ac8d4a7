import { describe, expect, it } from 'vitest'
import { kindsFromText } from '../../../../../src/stages/region-recognition/kinds/kinds-from-text.ts'
import type { ReadBlock } from '../../../../../src/stages/region-recognition/read-block.ts'

let y = 0.05

/** A block of lines from the picture; each is `size` high and 0.6 of the page wide unless shorter. */
function block(
  texts: readonly string[],
  { size = 0.016, width = 0.6, fromPicture = true, top = y }: { size?: number; width?: number; fromPicture?: boolean; top?: number } = {},
): ReadBlock {
  const lines = texts.map((text, i) => ({
    box: [0.1, top + i * 0.02, 0.1 + width, top + i * 0.02 + size] as const,
    text,
    spans: [{ text, marks: 0 }],
    confidence: 0.9,
  }))
  y = top + texts.length * 0.02 + 0.02
  const box = [0.1, top, 0.1 + width, top + texts.length * 0.02] as const
  return { layout: { kind: 'text', box, angle: 0, lines: [], flags: [] }, layoutIndex: 0, kind: 'text', lines, fromPicture, flags: new Set() }
}

const kinds = (...blocks: ReadBlock[]) => {
  y = 0.05
  return kindsFromText(blocks).map((b) => b.kind)
}

const prose = () => block(['This is a paragraph of ordinary text that runs on,', 'over two lines, and ends here.'])

describe('kindsFromText', () => {
  it('takes larger type for a heading, unless it ends a sentence', () => {
    expect(kinds(block(['A Large Title'], { size: 0.024 }), prose())).toEqual(['heading', 'text'])
    expect(kinds(block(['A large sentence.'], { size: 0.021 }), prose())).toEqual(['text', 'text'])
  })

  it('takes a numbered or capital short line for a heading', () => {
    expect(kinds(block(['3 Results'], { width: 0.2 }), prose())).toEqual(['heading', 'text'])
    expect(kinds(block(['CONCLUSIONS'], { width: 0.2 }), prose())).toEqual(['heading', 'text'])
  })

  it('takes numbers that count on for a list and a lone one for text', () => {
    expect(kinds(block(['1. one thing.']), block(['2. another thing.']))).toEqual(['list_item', 'list_item'])
    expect(kinds(prose(), block(['1. one thing that stands alone and is a sentence.']), prose())).toEqual(['text', 'text', 'text'])
  })

  it('takes small marked type at the foot for a footnote', () => {
    expect(kinds(prose(), prose(), block(['1 See the appendix for it.'], { size: 0.012, top: 0.85 }))).toEqual(['text', 'text', 'footnote'])
  })

  it('takes numbered entries behind the title of a bibliography for references', () => {
    expect(
      kinds(prose(), block(['References'], { size: 0.022, width: 0.2 }), block(['[1] A. Author, A title, 2020.']), block(['[2] B. Author, Another, 2021.'])),
    ).toEqual(['text', 'heading', 'reference', 'reference'])
  })

  it('takes a centred line of capitals right below an illustration for its caption, and no other', () => {
    const picture = (box: readonly [number, number, number, number]): ReadBlock => ({
      layout: { kind: 'figure', box, angle: 0, lines: [], flags: [] },
      layoutIndex: 0,
      kind: 'figure',
      lines: [],
      fromPicture: true,
      flags: new Set(),
    })
    const legend = () => block(['THEY WALKED ALONG.'], { width: 0.3, top: 0.51 })
    expect(kinds(picture([0.05, 0.1, 0.45, 0.5]), legend(), prose())).toEqual(['figure', 'caption', 'text'])
    expect(kinds(picture([0.5, 0.1, 0.9, 0.5]), legend(), prose())[1]).not.toBe('caption')
    expect(kinds(picture([0.05, 0.1, 0.45, 0.4]), legend(), prose())[1]).not.toBe('caption')
  })

  it('leaves blocks of the text layer alone', () => {
    expect(kinds(block(['3 Results'], { width: 0.2, fromPicture: false }), prose())).toEqual(['text', 'text'])
  })

  it('cuts a block at the items of its list', () => {
    const list = block(['The list is:', '• one', 'goes on', '• two'])
    expect(kindsFromText([list]).map((b) => [b.kind, b.lines.map((l) => l.text), b.marker])).toEqual([
      ['text', ['The list is:'], undefined],
      ['list_item', ['• one', 'goes on'], '•'],
      ['list_item', ['• two'], '•'],
    ])
  })

  it('cuts off a first item whose next opens the block below', () => {
    expect(kinds(block(['The list is:', '• one']), block(['• two', 'goes on']))).toEqual(['text', 'list_item', 'list_item'])
  })

  it('takes a short line flush over a paragraph for a heading, and names over names for none', () => {
    const paragraph = () => block(['This is a paragraph of ordinary text that runs on, and', 'on over two lines, until it ends here.'])
    expect(kinds(paragraph(), block(['Editing a sequence'], { width: 0.2 }), paragraph())).toEqual(['text', 'heading', 'text'])
    expect(kinds(block(['Ada Lovelace'], { width: 0.2 }), block(['Charles Babbage'], { width: 0.25 }))).toEqual(['text', 'text'])
  })

  it('takes a large line that goes on in lower case for no heading', () => {
    expect(kinds(block(['WE went along a path amongst'], { size: 0.024 }), block(['the trees back towards the end of the garden,', 'and down.']))).toEqual([
      'text',
      'text',
    ])
  })
})
