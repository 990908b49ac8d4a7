import { describe, expect, it } from 'vitest'
import type { PageBlock } from '../../../../../src/schema/page.ts'
import { assembled } from '../../../../support/assembled.ts'
import { block, failedPage, look, page, tableBlock } from '../../../../support/page-results.ts'

/** A page with one of most kinds, 612 x 792 points. */
function mixedPage(): PageBlock[] {
  const table = {
    ...tableBlock(
      [
        ['Item', 'Qty'],
        ['Nut & bolt', '4'],
      ],
      1,
      [0.52, 0.31, 0.9, 0.4],
    ),
  }
  const html = '<table><tr><td>Item</td></tr></table>'
  return [
    block({ kind: 'page_header', text: 'Sample Report', box: [0.08, 0.02, 0.92, 0.04] }),
    block({ kind: 'heading', text: 'Overview', look: look(16), box: [0.1, 0.06, 0.9, 0.1] }),
    block({ kind: 'text', text: 'Widgets come in two colours.', box: [0.1, 0.12, 0.48, 0.4] }),
    block({ kind: 'formula', text: 'a2', latex: 'a^2', box: [0.52, 0.22, 0.9, 0.26] }),
    block({ kind: 'caption', text: 'Table 1: Stock', box: [0.52, 0.28, 0.9, 0.3] }),
    { ...table, table: { ...(table.table as NonNullable<typeof table.table>), html } },
    block({ kind: 'list_item', text: '1. One', marker: '1.', box: [0.1, 0.42, 0.48, 0.44] }),
    block({ kind: 'list_item', text: '2. Two', marker: '2.', box: [0.1, 0.44, 0.48, 0.46] }),
    block({ kind: 'figure', box: [0.1, 0.5, 0.48, 0.7], image: { path: 'images/f.png', widthPx: 9, heightPx: 9, alt: 'A chart' } }),
    block({ kind: 'text', text: 'hidden words', flags: ['hidden-text'], box: [0.1, 0.72, 0.48, 0.74] }),
    block({ kind: 'page_number', text: '3', box: [0.48, 0.96, 0.52, 0.98] }),
  ]
}

const read = async (name: string) => JSON.parse((await assembled([page(0, mixedPage()), failedPage(1)])).sink.text(name))

describe('MinerU files', () => {
  it('middle.json has paragraphs and discarded blocks for each page, failed ones too', async () => {
    const { pdf_info, _backend } = await read('middle.json')
    expect(_backend).toBe('vlm')
    expect(pdf_info.map((p: { page_idx: number; page_size: number[] }) => [p.page_idx, p.page_size])).toEqual([
      [0, [612, 792]],
      [1, [612, 792]],
    ])
    expect(pdf_info[0].para_blocks.map((b: { type: string }) => b.type)).toEqual(['title', 'text', 'interline_equation', 'table', 'list', 'image'])
    expect(pdf_info[0].discarded_blocks.map((b: { type: string }) => b.type)).toEqual(['header', 'page_number'])
    expect(pdf_info[0].para_blocks[0].bbox).toEqual([61, 47, 550, 79])
    expect(pdf_info[0].para_blocks[3].blocks.map((b: { type: string }) => b.type)).toEqual(['table_caption', 'table_body'])
    expect(pdf_info[0].para_blocks[3].blocks[1].lines[0].spans[0]).toMatchObject({ type: 'table', html: expect.stringContaining('<table>') })
    expect(pdf_info[1]).toMatchObject({ para_blocks: [], preproc_blocks: [], discarded_blocks: [] })
  })

  it('content_list.json is flat, with thousandths of the page and furniture at the end', async () => {
    const list = await read('content_list.json')
    expect(list.map((e: { type: string }) => e.type)).toEqual(['text', 'text', 'equation', 'table', 'list', 'image', 'header', 'page_number'])
    expect(list[0]).toEqual({ type: 'text', text: 'Overview', text_level: 1, bbox: [99, 59, 898, 99], page_idx: 0 })
    expect(list[2]).toMatchObject({ text: '$$\na^2\n$$', text_format: 'latex' })
    expect(list[3]).toMatchObject({ table_caption: ['Table 1: Stock'], table_footnote: [], table_body: expect.stringContaining('Item') })
    expect(list[4]).toMatchObject({ sub_type: 'text', list_items: ['1. One', '2. Two'] })
    expect(list[5]).toMatchObject({ img_path: 'images/f.png', image_caption: [], image_footnote: [] })
    expect(JSON.stringify(list)).not.toContain('hidden')
  })

  it('content_list_v2.json has a list for each page', async () => {
    const pages = await read('content_list_v2.json')
    expect(pages).toHaveLength(2)
    expect(pages[0].map((e: { type: string }) => e.type)).toEqual([
      'title',
      'paragraph',
      'equation_interline',
      'table',
      'list',
      'image',
      'page_header',
      'page_number',
    ])
    expect(pages[0][0].content).toEqual({ title_content: [{ type: 'text', content: 'Overview' }], level: 1 })
    expect(pages[0][3].content).toMatchObject({ table_type: 'simple_table', table_nest_level: 1, table_caption: [{ type: 'text', content: 'Table 1: Stock' }] })
  })

  it('model.json says what each page held, in reading order', async () => {
    const [first] = await read('model.json')
    const types = ['header', 'title', 'text', 'equation', 'table_caption', 'table', 'list', 'text', 'text', 'image', 'page_number']
    expect(first.map((e: { type: string }) => e.type)).toEqual(types)
    expect(first[1]).toEqual({ type: 'title', bbox: [0.1, 0.06, 0.9, 0.1], angle: 0, content: 'Overview' })
  })

  it('keeps a joined block where it begins and marks where it was', async () => {
    const halves = [
      page(0, [block({ kind: 'text', text: 'A sentence that the page', box: [0.1, 0.8, 0.9, 0.9] })]),
      page(1, [block({ kind: 'text', text: 'cut in two.', box: [0.1, 0.1, 0.9, 0.12] })]),
    ]
    const { sink } = await assembled(halves)
    const { pdf_info } = JSON.parse(sink.text('middle.json'))
    expect(pdf_info[0].para_blocks[0].lines[0].spans[0]).toMatchObject({ content: 'A sentence that the page cut in two.', cross_page: true })
    expect(pdf_info[1].para_blocks[0]).toMatchObject({ lines: [], lines_deleted: true })
    expect(pdf_info[1].preproc_blocks[0].lines[0].spans[0].content).toBe('cut in two.')
    expect(JSON.parse(sink.text('content_list.json'))).toHaveLength(1)
  })
})
