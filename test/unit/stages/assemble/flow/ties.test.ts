import { describe, expect, it } from 'vitest'
import type { Box } from '../../../../../src/schema/geometry.ts'
import type { PageBlock } from '../../../../../src/schema/page.ts'
import { assembled } from '../../../../support/assembled.ts'
import { block, look, page, tableBlock } from '../../../../support/page-results.ts'

const parents = async (...blocks: PageBlock[]) => new Map((await assembled([page(0, blocks)])).document.blocks.map((b) => [b.id, b.parent]))
const figure = (box: Box) => block({ kind: 'figure', box, image: { path: 'images/f.png', widthPx: 10, heightPx: 10, alt: '' } })
const caption = (text: string, box: Box) => block({ kind: 'caption', text, box })

describe('captions', () => {
  it('belong to what their label names, not to what is nearest', async () => {
    const table = tableBlock(
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      0,
      [0.1, 0.5, 0.9, 0.6],
    )
    const picture = figure([0.1, 0.1, 0.9, 0.4])
    const ofFigure = caption('Figure 3. A river', [0.1, 0.46, 0.9, 0.48])
    expect((await parents(picture, ofFigure, table)).get(ofFigure.id)).toBe(picture.id)
  })

  it('of two figures in a row go one to each', async () => {
    const [a, b] = [figure([0.1, 0.1, 0.45, 0.3]), figure([0.55, 0.1, 0.9, 0.3])]
    const [ofA, ofB] = [caption('Figure 1. One', [0.1, 0.31, 0.45, 0.33]), caption('Figure 2. Two', [0.55, 0.31, 0.9, 0.33])]
    const found = await parents(a, b, ofA, ofB)
    expect([found.get(ofA.id), found.get(ofB.id)]).toEqual([a.id, b.id])
  })

  it('above a table and below a figure go by habit where both are near', async () => {
    const table = tableBlock([['a', 'b']], 0, [0.1, 0.45, 0.9, 0.6])
    const note = caption('An unlabelled line', [0.1, 0.42, 0.9, 0.44])
    const picture = figure([0.1, 0.1, 0.9, 0.41])
    expect((await parents(picture, note, table)).get(note.id)).toBeDefined()
  })

  it('describe a figure that has no description', async () => {
    const picture = figure([0.1, 0.1, 0.9, 0.3])
    const { document, markdown } = await assembled([page(0, [picture, caption('Figure 1. A river', [0.1, 0.31, 0.9, 0.33])])])
    expect(document.blocks[0]?.image?.alt).toBe('Figure 1. A river')
    expect(markdown).toContain('![Figure 1. A river](images/f.png)')
  })

  it('far from everything belong to nothing', async () => {
    const lonely = caption('Figure 9. Gone', [0.1, 0.9, 0.9, 0.92])
    expect((await parents(figure([0.1, 0.1, 0.9, 0.3]), lonely)).get(lonely.id)).toBeUndefined()
  })
})

describe('footnotes', () => {
  const text = (markdown: string) => block({ kind: 'text', text: markdown.replace(/<[^>]+>/g, ''), markdown, box: [0.1, 0.2, 0.9, 0.3] })
  const note = (words: string, y = 0.9) => block({ kind: 'footnote', text: words, box: [0.1, y, 0.9, y + 0.02] })

  it('belong to the block that bears their mark, and Markdown refers to them', async () => {
    const bearer = text('As was shown<sup>1</sup> before.')
    const foot = note('1 By somebody.')
    const { document, markdown } = await assembled([page(0, [bearer, foot])])
    expect(document.blocks[1]?.parent).toBe(bearer.id)
    expect(markdown).toBe('As was shown[^1] before.\n\n[^1]: By somebody.\n')
  })

  it('are counted over the document though each page begins with 1', async () => {
    const pages = [0, 1].map((i) => page(i, [text(`Page ${'ab'[i]}<sup>1</sup>.`), note(`1 Note ${'ab'[i]}.`)]))
    const { markdown } = await assembled(pages)
    expect(markdown).toContain('Page a[^1].')
    expect(markdown).toContain('Page b[^2].')
    expect(markdown).toContain('[^2]: Note b.')
  })

  it('stay paragraphs where their mark stands nowhere or twice', async () => {
    const nowhere = await assembled([page(0, [text('No mark.'), note('1 A note.')])])
    expect(nowhere.markdown).toContain('1 A note.')
    const twice = await assembled([page(0, [text('One<sup>1</sup> and two<sup>1</sup>.'), note('1 A note.')])])
    expect(twice.markdown).toContain('1 A note.')
    expect(twice.markdown).not.toContain('[^')
  })

  it('under a table belong to it, also those that passed for text and whose mark a cell bears', async () => {
    const grid = tableBlock(
      [
        ['Age', '0.09a'],
        ['Sex', '1.0b'],
      ],
      0,
      [0.1, 0.2, 0.9, 0.3],
    )
    const under = (words: string, y: number, kind: 'text' | 'footnote') => block({ kind, text: words, box: [0.1, y, 0.4, y + 0.01], look: look(7) })
    const notes = [under('a A test.', 0.302, 'footnote'), under('Of the year.', 0.314, 'footnote'), under('b Another test.', 0.326, 'text')]
    const body = block({ kind: 'text', text: 'The text of the page, which is larger.', box: [0.1, 0.4, 0.9, 0.5] })
    const { document } = await assembled([page(0, [grid, ...notes, body])])
    expect(document.blocks.map((b) => [b.kind, b.parent === grid.id])).toEqual([
      ['table', false],
      ['footnote', true],
      ['footnote', true],
      ['footnote', true],
      ['text', false],
    ])
    const other = await assembled([page(0, [grid, under('c A third.', 0.302, 'text'), body])])
    expect(other.document.blocks[1]?.kind).toBe('text')
  })

  it('go on in the next column of their page', async () => {
    const left = block({ kind: 'footnote', text: '1 The magnitude of the command varies according to the', box: [0.1, 0.9, 0.45, 0.92], look: look(8) })
    const right = block({ kind: 'footnote', text: 'altitude and airspeed.', box: [0.55, 0.85, 0.9, 0.87], look: look(8) })
    const { document } = await assembled([page(0, [text('As was shown<sup>1</sup> before.'), left, right])])
    expect(document.blocks.map((b) => b.text)).toContain('1 The magnitude of the command varies according to the altitude and airspeed.')
  })

  it('stand after the text of their page', async () => {
    const { markdown } = await assembled([page(0, [text('First.'), note('* A note.', 0.6), text('Second.')]), page(1, [text('Third.')])])
    expect(markdown.split('\n\n').map((p) => p.trim())).toEqual(['First.', 'Second.', '* A note.', 'Third.'])
  })
})

describe('lists', () => {
  const item = (marker: string, x: number, more: Partial<PageBlock> = {}) =>
    block({
      kind: 'list_item',
      text: `${marker} item at ${marker}`,
      marker,
      markdown: `${/\d/.test(marker) ? marker : '-'} item at ${marker}`,
      box: [x, 0.2, 0.9, 0.22],
      ...more,
    })

  it('nest by indent and marker and name the item above', async () => {
    const items = [item('1.', 0.1), item('•', 0.15), item('•', 0.15), item('2.', 0.1)]
    const { document, markdown } = await assembled([page(0, items)])
    expect(document.blocks.map((b) => [b.depth, b.parent])).toEqual([
      [0, undefined],
      [1, items[0]?.id],
      [1, items[0]?.id],
      [0, undefined],
    ])
    expect(markdown).toBe('1. item at 1.\n   - item at •\n   - item at •\n2. item at 2.\n')
  })

  it('keep their depth on the next page, where the margin is another', async () => {
    const { document } = await assembled([page(0, [item('1.', 0.1), item('a)', 0.15)]), page(1, [item('b)', 0.2), item('2.', 0.15)])])
    expect(document.blocks.map((b) => b.depth)).toEqual([0, 1, 1, 0])
  })

  it('start anew after a heading', async () => {
    const heading = block({ kind: 'heading', text: 'A heading', look: { ...item('•', 0.1).look, sizePt: 16 } as never })
    const { document } = await assembled([page(0, [item('1.', 0.1), heading, item('•', 0.2)])])
    expect(document.blocks.map((b) => b.depth)).toEqual([0, undefined, 0])
  })
})
