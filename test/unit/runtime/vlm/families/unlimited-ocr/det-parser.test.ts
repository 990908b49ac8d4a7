import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openDetParser } from '../../../../../../src/runtime/vlm/families/unlimited-ocr/det-parser.ts'
import type { FoundBlock } from '../../../../../../src/runtime/vlm/page-reader.ts'
import { expectTiled } from '../../../../../support/expect-tiled.ts'

/** Reads an answer that comes in pieces of the given length. */
function read(answer: string, { pieceLength = answer.length || 1, cut = false } = {}): { blocks: FoundBlock[]; dropped: number } {
  const parser = openDetParser()
  const blocks: FoundBlock[] = []
  for (let at = 0; at < answer.length; at += pieceLength) blocks.push(...parser.push(answer.slice(at, at + pieceLength)))
  blocks.push(...parser.end(cut))
  return { blocks, dropped: parser.dropped }
}

const brief = ({ type, kind, box, content, flags }: FoundBlock) => [type, kind, box.map((side) => Math.round(side * 1000)).join(' '), content?.text, ...flags]
const briefs = (answer: string, options?: Parameters<typeof read>[1]) => read(answer, options).blocks.map(brief)

const det = (head: string, content = ''): string => `<|det|>${head}<|/det|>${content}`

const page = [
  det('title [80, 40, 920, 90]', 'A  Study'),
  det('text [80, 100, 480, 400]', 'Let \\(x\\) be\nlarge.'),
  det('equation [80, 420, 480, 460]', '\\[ a + b = c \\]'),
  `${det('image [520, 100, 920, 400]')}${det('image_caption [520, 410, 920, 430]', 'Figure 1')}`,
  det('table [80, 500, 920, 700]', '<table><tr><td>A</td><td>\\(y\\)</td></tr></table>'),
  det('page_footnote [80, 900, 920, 920]', 'note'),
  det('header [80, 10, 920, 20]', 'Head'),
  det('page_number [480, 960, 520, 980]', '7'),
].join('\n')

const expected = [
  ['title', 'heading', '80 40 920 90', 'A Study'],
  ['text', 'text', '80 100 480 400', 'Let \\( x \\) be\nlarge.'],
  ['equation', 'formula', '80 420 480 460', 'a + b = c'],
  ['image', 'figure', '520 100 920 400', ''],
  ['image_caption', 'caption', '520 410 920 430', 'Figure 1'],
  ['table', 'table', '80 500 920 700', 'A\t\\( y \\)'],
  ['page_footnote', 'footnote', '80 900 920 920', 'note'],
  ['header', 'page_header', '80 10 920 20', 'Head'],
  ['page_number', 'page_number', '480 960 520 980', '7'],
]

describe('an answer of Unlimited-OCR', () => {
  it('gives its blocks in reading order, cleaned', () => {
    expect(briefs(page)).toEqual(expected)
    const blocks = read(page).blocks
    expect(blocks[2]?.content).toMatchObject({ latex: 'a + b = c' })
    expect(blocks.find(({ kind }) => kind === 'table')?.content?.table?.cells.map(({ text }) => text)).toEqual(['A', '\\( y \\)'])
  })

  it('reads the same in pieces of any length', () => {
    for (let pieceLength = 1; pieceLength < 40; pieceLength++) expect(briefs(page, { pieceLength })).toEqual(expected)
  })

  it('gives a block as soon as the next one begins', () => {
    const parser = openDetParser()
    expect(parser.push('<|det|>title [1, 2, 3, 4]<|/det|>Hea')).toEqual([])
    expect(parser.push('ding\n<|de')).toEqual([])
    expect(parser.push('t|>').map(brief)).toEqual([['title', 'heading', '1 2 3 4', 'Heading']])
    expect(parser.end(false)).toEqual([])
    expect(parser.dropped).toBe(1)
  })

  it('takes the kind from outside the box', () => {
    expect(briefs(`<|ref|>title<|/ref|>${det('[1, 2, 3, 4]', 'T')}\n<|ref|>table<|/ref|>${det('[[5, 6, 7, 8]]', 'x')}`)).toEqual([
      ['title', 'heading', '1 2 3 4', 'T'],
      ['table', 'table', '5 6 7 8', 'x'],
    ])
  })

  it('keeps kinds that it does not know as text, under their own name', () => {
    expect(briefs(det('Side_Bar [1, 2, 3, 4]', 'x') + det('[1,2,3,4]', 'y') + det('aside_text [1,2,3,4]', 'z'))).toEqual([
      ['side_bar', 'text', '1 2 3 4', 'x'],
      ['text', 'text', '1 2 3 4', 'y'],
      ['aside_text', 'aside', '1 2 3 4', 'z'],
    ])
  })

  it('takes boxes back to the page, turns them round, and drops those without an area', () => {
    const answer = det('text [900, 20, 100, 1200]', 'a') + det('text [-5, 0, 10, 10]', 'b') + det('text [5, 5, 5, 9]', 'c') + det('text [5, 5, 9]', 'd')
    expect(briefs(answer)).toEqual([
      ['text', 'text', '100 20 900 1000', 'a'],
      ['text', 'text', '0 0 10 10', 'b'],
    ])
    expect(read(answer).dropped).toBe(2)
  })

  it('strips the end of the text and separators of pages in any case', () => {
    expect(briefs(`<PAGE>\n${det('text [1, 2, 3, 4]', 'a')}<page>${det('text [1, 2, 3, 5]', 'b')}<｜end▁of▁sentence｜>`, { pieceLength: 3 })).toEqual([
      ['text', 'text', '1 2 3 4', 'a'],
      ['text', 'text', '1 2 3 5', 'b'],
    ])
  })

  it('keeps other angle brackets as text', () => {
    expect(briefs(det('text [1, 2, 3, 4]', 'a < b <|x|> <pag> <|det'), { pieceLength: 1 })).toEqual([['text', 'text', '1 2 3 4', 'a < b <|x|> <pag> <|det']])
  })

  it('leaves the content of a text block without text open, and that of an image empty', () => {
    const [text, image] = read(det('text [1, 2, 3, 4]', ' \n') + det('image [1, 2, 3, 4]')).blocks
    expect(text?.content).toBeUndefined()
    expect(image?.content).toEqual({ kind: 'figure', text: '', raw: '', flags: [] })
  })

  it('flags the last block of an answer that was cut, and drops half a box', () => {
    expect(briefs(`${det('text [1, 2, 3, 4]', 'whole')}${det('text [5, 6, 7, 8]', 'hal')}`, { cut: true })).toEqual([
      ['text', 'text', '1 2 3 4', 'whole'],
      ['text', 'text', '5 6 7 8', 'hal', 'cut'],
    ])
    expect(read(`${det('text [1, 2, 3, 4]', 'whole')}<|det|>text [5, 6`, { cut: true })).toMatchObject({ blocks: [{ flags: [] }], dropped: 1 })
    const table = read(det('table [1, 2, 3, 4]', '<table><tr><td>a</td><td>b</td></tr><tr><td>c'), { cut: true }).blocks[0]
    expect(table?.content).toMatchObject({ kind: 'table', text: 'a\tb\nc', flags: ['cut'] })
  })

  it('tells words that belong to no box', () => {
    expect(read('Sorry, I cannot read this.')).toEqual({ blocks: [], dropped: 1 })
    expect(read('')).toEqual({ blocks: [], dropped: 0 })
  })

  it('makes a table of a text that is one, and text of a table that is none', () => {
    expect(read(det('text [1, 2, 3, 4]', '<table><tr><td>a</table>')).blocks[0]).toMatchObject({ type: 'text', kind: 'table', content: { kind: 'table' } })
    expect(read(det('table [1, 2, 3, 4]', 'a <b>b</b>')).blocks[0]?.content).toMatchObject({ kind: 'table', text: 'a b' })
  })

  it('keeps references in brackets, and makes formulas of other brackets', () => {
    expect(briefs(det('text [1, 2, 3, 4]', 'see \\[12, 14–16\\] and \\[x^2\\]'))[0]?.[3]).toBe('see \\[12, 14–16\\] and \\( x^2 \\)')
  })

  it('bounds blocks and their text', () => {
    const many = read(det('text [1, 2, 3, 4]', 'x').repeat(10_000))
    expect([many.blocks.length, many.dropped]).toEqual([5_000, 5_000])
    const long = read(det('text [1, 2, 3, 4]', 'x'.repeat(300_000)), { pieceLength: 1000 }).blocks[0]
    expect([long?.content?.raw.length, long?.flags]).toEqual([100_000, ['cut']])
  })
})

const part = fc.oneof(
  fc.constantFrom('<|det|>', '<|/det|>', '<|ref|>', '<|/ref|>', '<PAGE>', '<page>', '<｜end▁of▁sentence｜>', '<', '<|', '[', ']', ', ', '\n'),
  fc.constantFrom('text', 'title', 'table', 'equation', 'image', '\\(', '\\)', '\\[', '\\]', '$', '<table>', '<tr>', '<td rowspan=9>', '</td>', '```'),
  fc.integer({ min: -50, max: 1100 }).map(String),
  fc.tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000), fc.nat(1000)).map((sides) => det(`text [${sides.join(', ')}]`)),
  fc.string({ maxLength: 6, unit: 'binary' }),
)

describe('any answer', () => {
  it('is read without throwing, the same whole and in pieces, into boxes on the page and no more text than there was', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 50 }), fc.integer({ min: 1, max: 9 }), fc.boolean(), (parts, pieceLength, cut) => {
        const answer = parts.join('')
        const whole = read(answer, { cut })
        expect(read(answer, { pieceLength, cut })).toEqual(whole)
        let written = 0
        for (const { box, content } of whole.blocks) {
          expect(box[0] >= 0 && box[0] < box[2] && box[2] <= 1 && box[1] >= 0 && box[1] < box[3] && box[3] <= 1).toBe(true)
          if (content?.table) expectTiled(content.table)
          written += content?.raw.length ?? 0
        }
        expect(written).toBeLessThanOrEqual(answer.length)
      }),
      { numRuns: 10_000 },
    )
  })

  it('takes time in its length', { timeout: 10_000 }, () => {
    for (const unit of ['<', '<|det|>', '<|det|>text [1, 2, 3, 4]<|/det|>', '\\(', '\\[', '$', '~', '`', '<table>', ' \n'])
      read(det('equation [1, 2, 3, 4]') + unit.repeat(Math.ceil(300_000 / unit.length)), { pieceLength: 1000 })
  })
})
