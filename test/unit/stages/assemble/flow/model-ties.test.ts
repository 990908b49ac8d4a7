import { describe, expect, it } from 'vitest'
import type { Box } from '../../../../../src/schema/geometry.ts'
import type { PageBlock } from '../../../../../src/schema/page.ts'
import { assembled } from '../../../../support/assembled.ts'
import { modelBlock, modelTableBlock, page } from '../../../../support/page-results.ts'

const document = async (...blocks: PageBlock[]) => (await assembled([page(0, blocks)])).document
/** What each block belongs to, by id. */
const parents = async (...blocks: PageBlock[]) => new Map((await document(...blocks)).blocks.map((b) => [b.id, b.parent]))
const figure = (box: Box) => modelBlock({ kind: 'figure', box, image: { path: 'images/f.png', widthPx: 9, heightPx: 9, alt: 'figure' } })
const table = (box: Box) => modelTableBlock([['a', 'b'], ['c', 'd']], box) // biome-ignore format: a grid
const line = (kind: 'caption' | 'footnote' | 'text', text: string, x0: number, y0: number, x1: number, more: Partial<PageBlock> = {}) =>
  modelBlock({ kind, text, box: [x0, y0, x1, y0 + 0.018], ...more })
const note = (text: string, x0: number, y0: number, x1: number, noteOf: 'page' | 'body' = 'body') => line('footnote', text, x0, y0, x1, { noteOf })

describe('captions that a model found', () => {
  it('without a label go to the table below them and to the figure above them', async () => {
    const [picture, below, above, grid] = [
      figure([0.1, 0.1, 0.5, 0.3]),
      line('caption', 'A river in spring', 0.1, 0.305, 0.5),
      line('caption', 'Rivers by length', 0.1, 0.5, 0.5),
      table([0.1, 0.522, 0.5, 0.7]),
    ]
    const found = await parents(picture, below, above, grid)
    expect([found.get(below.id), found.get(above.id)]).toEqual([picture.id, grid.id])
  })

  it('between a figure and a table go where their label says', async () => {
    const [picture, caption, grid] = [figure([0.1, 0.1, 0.5, 0.3]), line('caption', 'Table 1: Rivers', 0.1, 0.305, 0.5), table([0.1, 0.34, 0.5, 0.5])]
    expect((await parents(picture, caption, grid)).get(caption.id)).toBe(grid.id)
  })

  it('in two languages both belong to their figure', async () => {
    const picture = figure([0.1, 0.1, 0.5, 0.3])
    const [first, second] = [line('caption', '图1 河流', 0.1, 0.305, 0.5), line('caption', 'Figure 1 A river', 0.1, 0.325, 0.5)]
    const found = await parents(picture, first, second)
    expect([found.get(first.id), found.get(second.id)]).toEqual([picture.id, picture.id])
  })

  it('of two figures side by side go one to each, in whatever order they are read', async () => {
    const [a, b] = [figure([0.1, 0.1, 0.45, 0.3]), figure([0.55, 0.1, 0.9, 0.3])]
    const [ofA, ofB] = [line('caption', '(a) In spring', 0.1, 0.305, 0.45), line('caption', '(b) In autumn', 0.55, 0.305, 0.9)]
    const found = await parents(a, b, ofB, ofA)
    expect([found.get(ofA.id), found.get(ofB.id)]).toEqual([a.id, b.id])
  })

  it('take a single line of text along that stands between them and their table', async () => {
    const [caption, unit, grid] = [line('caption', 'Table 1: Rivers', 0.1, 0.1, 0.5), line('text', '(in km)', 0.4, 0.12, 0.5), table([0.1, 0.142, 0.5, 0.3])]
    const { blocks } = await document(caption, unit, grid)
    expect(blocks.map((b) => [b.kind, b.parent])).toEqual([
      ['caption', grid.id],
      ['caption', grid.id],
      ['table', undefined],
    ])
  })

  it('take a single line of text along that stands beside them', async () => {
    const [caption, unit, picture] = [line('caption', 'Figure 1', 0.1, 0.1, 0.2), line('text', 'Rivers', 0.22, 0.1, 0.4), figure([0.1, 0.122, 0.5, 0.3])]
    const { blocks } = await document(caption, unit, picture)
    expect(blocks.map((b) => [b.kind, b.parent])).toEqual([
      ['caption', picture.id],
      ['caption', picture.id],
      ['figure', undefined],
    ])
  })
})

describe('notes that a model found', () => {
  it('of a body go to the nearest one before them', async () => {
    const [a, b] = [figure([0.1, 0.1, 0.45, 0.3]), table([0.55, 0.1, 0.9, 0.3])]
    const [caption, ofA, ofB] = [
      line('caption', 'Figure 1', 0.1, 0.305, 0.45),
      note('Photo: somebody', 0.1, 0.325, 0.45),
      note('Source: census', 0.55, 0.305, 0.9),
    ]
    const found = await parents(a, b, caption, ofA, ofB)
    expect([found.get(ofA.id), found.get(ofB.id)]).toEqual([a.id, b.id])
  })

  it('never go to a later body, nor over a text', async () => {
    const early = note('Source: census', 0.1, 0.1, 0.5)
    expect((await parents(early, table([0.1, 0.12, 0.5, 0.3]))).get(early.id)).toBeUndefined()
    const [grid, words, late] = [
      table([0.1, 0.1, 0.5, 0.3]),
      line('text', 'Words that stand between.', 0.1, 0.305, 0.5),
      note('Source: census', 0.1, 0.33, 0.5),
    ]
    expect((await parents(grid, words, late)).get(late.id)).toBeUndefined()
  })

  it('of the page belong to no body, however near', async () => {
    const [grid, foot] = [table([0.1, 0.6, 0.5, 0.9]), note('1 By somebody.', 0.1, 0.902, 0.5, 'page')]
    expect((await parents(grid, foot)).get(foot.id)).toBeUndefined()
  })

  it('of a body stand with it, in Markdown and in MinerU’s files', async () => {
    const blocks = [figure([0.1, 0.1, 0.5, 0.3]), note('Photo: somebody', 0.1, 0.305, 0.5), line('text', 'The text goes on.', 0.1, 0.4, 0.5)]
    const { markdown, sink } = await assembled([page(0, blocks)])
    expect(markdown).toBe('![figure](images/f.png)\n\nPhoto: somebody\n\nThe text goes on.\n')
    expect(JSON.parse(sink.text('content_list.json'))[0]).toMatchObject({ type: 'image', image_footnote: ['Photo: somebody'] })
  })
})

describe('items and references that a model found', () => {
  it('are one list each in MinerU’s files', async () => {
    const items = ['1. One', '2. Two \\(x\\)'].map((text, i) => modelBlock({ kind: 'list_item', text, box: [0.1, 0.1 + i * 0.03, 0.9, 0.12 + i * 0.03] }))
    const references = ['[1] A book.', '[2] Another.'].map((text, i) =>
      modelBlock({ kind: 'reference', text, box: [0.1, 0.3 + i * 0.03, 0.9, 0.32 + i * 0.03] }),
    )
    const { sink } = await assembled([page(0, [...items, ...references])])
    expect(JSON.parse(sink.text('content_list.json'))).toMatchObject([
      { type: 'list', sub_type: 'text', list_items: ['1. One', '2. Two $x$'] },
      { type: 'list', sub_type: 'ref_text', list_items: ['[1] A book.', '[2] Another.'] },
    ])
  })
})
