import { describe, expect, it } from 'vitest'
import { assembled } from '../../../../support/assembled.ts'
import { modelBlock, page } from '../../../../support/page-results.ts'
import { mineruSampleBlocks } from '../../../../support/vlm/mineru-sample-page.ts'

type Entry = Record<string, unknown>
const sample = async () => assembled([page(0, mineruSampleBlocks())])
const read = async (name: string) => JSON.parse((await sample()).sink.text(name))

describe('a page that MinerU2.5 read', () => {
  it('is this Markdown', async () => {
    expect((await sample()).markdown).toBe(`# 1. Overview

Widgets come in two colors and $n = 2$ sizes.

$$
\\left( a+b \\right)^{2} < c
$$

Table 1: Stock

<table><tbody><tr><td>Item</td><td>Qty</td></tr><tr><td>Nut &amp; bolt</td><td>$x_1$</td></tr></tbody></table>

![chart](images/chart.png)

| Year | Sales |
| --- | --- |
| 2024 | 7 |

Figure 1: Sales
`)
  })

  it('is this content_list.json: MinerU’s, but for the text that went over to the one before', async () => {
    expect(await read('content_list.json')).toEqual([
      { type: 'text', text: '1. Overview', text_level: 1, bbox: [99, 59, 898, 99], page_idx: 0 },
      { type: 'text', text: 'Widgets come in two colors and $n = 2$ sizes.', bbox: [99, 119, 478, 398], page_idx: 0 },
      {
        type: 'equation',
        img_path: '',
        text: '$$\n\\left( a+b \\right)^{2} < c\n$$',
        text_format: 'latex',
        bbox: [519, 219, 898, 258],
        page_idx: 0,
      },
      {
        type: 'table',
        img_path: '',
        table_caption: ['Table 1: Stock'],
        table_footnote: [],
        table_body: '<table><tr><td>Item</td><td>Qty</td></tr><tr><td>Nut &amp; bolt</td><td><eq>x_1</eq></td></tr></table>',
        bbox: [519, 309, 898, 398],
        page_idx: 0,
      },
      {
        type: 'chart',
        img_path: 'images/chart.png',
        content: '| Year | Sales |\n| --- | --- |\n| 2024 | 7 |',
        sub_type: 'bar',
        chart_caption: ['Figure 1: Sales'],
        chart_footnote: [],
        bbox: [99, 449, 478, 699],
        page_idx: 0,
      },
      { type: 'header', text: 'Sample Report', bbox: [78, 18, 919, 39], page_idx: 0 },
      { type: 'page_number', text: '3', bbox: [478, 959, 519, 979], page_idx: 0 },
    ])
  })

  it('keeps the model’s word that a text goes on, and where the text was', async () => {
    const { pdf_info } = await read('middle.json')
    const [first] = pdf_info as { preproc_blocks: Entry[]; para_blocks: Entry[] }[]
    expect(first?.para_blocks[2]).toMatchObject({ type: 'text', merge_prev: true, lines: [], lines_deleted: true })
    expect(first?.preproc_blocks[2]).toMatchObject({
      merge_prev: true,
      lines: [{ spans: [{ content: 'ors and ' }, { type: 'inline_equation', content: 'n = 2' }, { content: ' sizes.' }] }],
    })
    const [model] = await read('model.json')
    expect((model as Entry[]).filter((entry) => entry.merge_prev)).toMatchObject([{ type: 'text', content: 'ors and $n = 2$ sizes.' }])
  })

  it('says what its chart is in every file', async () => {
    const { pdf_info } = await read('middle.json')
    expect(pdf_info[0].para_blocks.at(-1)).toMatchObject({ type: 'chart', sub_type: 'bar' })
    expect((await read('content_list_v2.json'))[0].find((entry: Entry) => entry.type === 'chart')).toMatchObject({
      sub_type: 'bar',
      content: { content: '| Year | Sales |\n| --- | --- |\n| 2024 | 7 |' },
    })
  })

  it('has inline formulas apart in content_list_v2.json', async () => {
    expect((await read('content_list_v2.json'))[0][1].content.paragraph_content).toEqual([
      { type: 'text', content: 'Widgets come in two colors and ' },
      { type: 'equation_inline', content: 'n = 2' },
      { type: 'text', content: ' sizes.' },
    ])
  })
})

describe('other blocks of models', () => {
  const list = async (...blocks: Parameters<typeof modelBlock>[0][]) => {
    const { sink, markdown } = await assembled([
      page(
        0,
        blocks.map((draft) => modelBlock(draft)),
      ),
    ])
    return { content: JSON.parse(sink.text('content_list.json')) as Entry[], v2: JSON.parse(sink.text('content_list_v2.json'))[0] as Entry[], markdown }
  }

  it('name the language of code', async () => {
    const { v2, content, markdown } = await list({ kind: 'code', text: 'print(1)', language: 'python', markdown: '```python\nprint(1)\n```' })
    expect(v2[0]).toMatchObject({ content: { code_language: 'python' } })
    expect(content[0]).toMatchObject({ sub_type: 'code', code_body: '```python\nprint(1)\n```' })
    expect(markdown).toBe('```python\nprint(1)\n```\n')
  })

  it('show a flowchart as Mermaid and a description as words', async () => {
    const image = { path: 'images/f.png', widthPx: 9, heightPx: 9, alt: 'figure' }
    const flowchart = await list({ kind: 'figure', text: 'graph TD\n  A --> B', language: 'mermaid', subKind: 'flowchart', image })
    expect(flowchart.content[0]).toMatchObject({ sub_type: 'flowchart', content: '```mermaid\ngraph TD\n  A --> B\n```' })
    expect(flowchart.markdown).toContain('```mermaid\ngraph TD')
    const photograph = await list({ kind: 'figure', text: 'A river.', subKind: 'natural_image', image })
    expect(photograph.markdown).toBe('![figure](images/f.png)\n\nA river.\n')
    expect((await list({ kind: 'figure', text: 'A river.', image: { ...image, alt: 'A river.' } })).markdown).toBe('![A river.](images/f.png)\n')
  })

  it('leave a table that holds no formula as it is', async () => {
    const cells = [
      { row: 0, column: 0, rowSpan: 1, columnSpan: 1, header: false, text: '\\( a' },
      { row: 0, column: 1, rowSpan: 1, columnSpan: 1, header: false, text: 'b \\)' },
    ]
    const html = '<table><tbody><tr><td>\\( a</td><td>b \\)</td></tr></tbody></table>'
    const { content } = await list({ kind: 'table', text: '\\( a\tb \\)', table: { rows: 1, columns: 2, headerRows: 0, html, cells } })
    expect(content[0]).toMatchObject({ table_body: '<table><tr><td>\\( a</td><td>b \\)</td></tr></table>' })
  })
})
