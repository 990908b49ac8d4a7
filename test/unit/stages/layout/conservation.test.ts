import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unplacedWords } from '../../../../src/stages/layout/unplaced-words.ts'
import { prose, SyntheticPage } from '../../../support/synthetic-page.ts'

const angle = fc.constantFrom(0, 90, 180, 270) as fc.Arbitrary<0 | 90 | 180 | 270>

/** Writing anywhere on a page, in any direction, over pictures, in boxes, hidden or not. */
const anyPage = fc
  .record({
    texts: fc.array(
      fc.record({
        text: fc.lorem({ maxCount: 8 }),
        x: fc.integer({ min: -20, max: 590 }),
        y: fc.integer({ min: 10, max: 810 }),
        size: fc.constantFrom(6, 9, 10, 12, 24),
        angle,
        vertical: fc.boolean(),
        hidden: fc.constantFrom(undefined, undefined, undefined, 'same-colour' as const, 'invisible' as const),
      }),
      { maxLength: 40 },
    ),
    pictures: fc.array(
      fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 700 }), fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 })),
      { maxLength: 4 },
    ),
    fields: fc.array(fc.tuple(fc.nat({ max: 39 }), fc.integer({ min: -30, max: 60 }), fc.boolean()), { maxLength: 6 }),
  })
  .map(({ texts, pictures, fields }) => {
    const page = new SyntheticPage()
    for (const { text, x, y, vertical, hidden, ...rest } of texts)
      page.write(text, x, y, { ...rest, ...(vertical && rest.angle === 0 ? { vertical } : {}), ...(hidden ? { hidden } : {}) })
    for (const [x, y, w, h] of pictures) page.pictures.push({ box: [x, y, x + w, y + h], widthPx: w, heightPx: h })
    // Fields of a form over words and beside them, with values that are printed there or not.
    for (const [at, shift, isPrinted] of fields) {
      const word = page.words[at]
      if (!word) continue
      const [x0, y0, x1, y1] = word.box
      page.fields.push({ box: [x0 + shift, y0 - 1, x1 + shift, y1 + 1], kind: 'text', name: 'field', value: isPrinted ? word.text : 'typed' })
    }
    return page
  })

describe('conservation of words', () => {
  it('puts every word of any page into exactly one block', () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        const input = page.gated()
        const result = unplacedWords(input, page.blocks())
        expect(result).toEqual({ lost: [], doubled: [] })
      }),
      { numRuns: 150, seed: 7 },
    )
  })

  it('keeps all boxes within the page and gives parents that exist', () => {
    fc.assert(
      fc.property(anyPage, (page) => {
        const blocks = page.blocks()
        for (const block of blocks) {
          for (const edge of block.box) expect(edge >= 0 && edge <= 1).toBe(true)
          expect(block.box[0] <= block.box[2] && block.box[1] <= block.box[3]).toBe(true)
          if (block.parent !== undefined) expect(blocks[block.parent]).toBeDefined()
        }
      }),
      { numRuns: 60, seed: 11 },
    )
  })

  it('brings random columns out in order', () => {
    const columns = fc.record({
      count: fc.integer({ min: 1, max: 4 }),
      lines: fc.array(fc.integer({ min: 6, max: 16 }), { minLength: 4, maxLength: 4 }),
      gutter: fc.integer({ min: 12, max: 30 }),
      wide: fc.boolean(),
    })
    fc.assert(
      fc.property(columns, ({ count, lines, gutter, wide }) => {
        const page = new SyntheticPage(700)
        const width = (580 - (count - 1) * gutter) / count
        const expected: string[] = []
        const text = (name: string, n: number, room: number, x: number, y: number) => {
          page.column(prose(name, n, room, 9), x, y, { size: 9, leading: 11 })
          for (let i = 0; i < n; i++) expected.push(`${name}${i}`)
        }
        if (wide) text('top', 4, 580, 60, 150)
        for (let c = 0; c < count; c++) text(`c${c}x`, lines[c] ?? 6, width, 60 + c * (width + gutter), 210)
        const heads = page.blocks().flatMap((b) => b.lines.map((l) => page.words[l.words?.[0] ?? -1]?.text))
        expect(heads).toEqual(expected)
      }),
      { numRuns: 120, seed: 3 },
    )
  })

  it('tells lost and doubled words', () => {
    const page = new SyntheticPage()
    page.write('one two three', 60, 100)
    const input = page.gated()
    const [block] = page.blocks()
    const [line] = block?.lines ?? []
    if (!block || !line) throw new Error('no block')
    expect(unplacedWords(input, [{ ...block, lines: [{ ...line, words: [0, 2, 2] }] }])).toEqual({ lost: [1], doubled: [2] })
  })
})
