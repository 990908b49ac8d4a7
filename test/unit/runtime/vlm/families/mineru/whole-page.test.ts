import { expect, it } from 'vitest'
import { cropArea } from '../../../../../../src/runtime/vlm/crops/crop-area.ts'
import { cropSize } from '../../../../../../src/runtime/vlm/crops/crop-size.ts'
import { mineruFamily } from '../../../../../../src/runtime/vlm/families/mineru/mineru-family.ts'
import { printedContent } from '../../../../../../src/runtime/vlm/families/mineru/printed-content.ts'
import type { BlockAnswer } from '../../../../../../src/runtime/vlm/family.ts'

const chart = [
  '<|class_start|>chart<|class_end|><|sub_class_start|>bar<|sub_class_end|><|caption_start|>Sales bars<|caption_end|>',
  '<|content_start|>| Year | Sales |\n|---|---|\n| 2024 | 7 |<|content_end|>',
].join('\n')

/** Box, label, tail, crop, prompt, answer. */
const page: [string, string, string, number, number, string, string][] = [
  ['080 020 920 040', 'header', '', 1428, 44, 'Text', 'Sample Report'],
  ['100 060 900 100', 'title', '', 1360, 88, 'Text', '1. Overview'],
  ['100 120 480 400', 'text', '', 646, 616, 'Text', 'Widgets come in two col-'],
  ['520 120 900 200', 'text', 'txt_contd_tgt', 646, 176, 'Text', 'ors and \\[ n = 2 \\] sizes.'],
  ['520 220 900 260', 'equation', '', 646, 88, 'Formula', '\\[ \\left( a+b \\right)^{2} < c \\]'],
  ['520 280 900 300', 'table_caption', '', 646, 44, 'Text', 'Table 1: Stock'],
  ['520 310 900 400', 'table', '', 646, 198, 'Table', '<fcel>Item<fcel>Qty<nl><fcel>Nut & bolt<fcel>\\(x_1\\)<nl>'],
  ['100 450 480 700', 'image', '', 646, 550, 'Image', chart],
  ['100 710 480 730', 'image_caption', '', 646, 44, 'Text', 'Figure 1: Sales'],
  ['480 960 520 980', 'page_number', '', 68, 44, 'Text', '3'],
]
const layout = page.map(([box, label, tail]) => `<|box_start|>${box}<|box_end|><|ref_start|>${label}<|ref_end|><|rotate_up|>${tail}`).join('\n')
const options = { imageAnalysis: true }
const { blocks } = mineruFamily.parseLayout(layout)
const asks = mineruFamily.planAsks(blocks, options)

it('every block of the page is found and asked for by its prompt', () => {
  expect(blocks.map(({ type }) => type)).toEqual(page.map(([, label]) => label))
  expect([...asks.values()].map(({ ask }) => ask.prompt)).toEqual(
    page.map(([, , , , , prompt]) => (prompt === 'Image' ? '\nImage Analysis:' : `\n${prompt} Recognition:`)),
  )
  expect(blocks.filter(({ continues }) => continues)).toEqual([blocks[3]])
})

it('every crop has its size in a picture of 1700x2200', () => {
  const sizes = [...asks.values()].map(({ crop }) => {
    const area = cropArea(crop.box, { width: 1700, height: 2200 }, crop.rounding)
    return area && cropSize(area, crop).sent
  })
  expect(sizes).toEqual(page.map(([, , , width, height]) => ({ width, height })))
})

it.each([
  ['text', page[3]?.[6], { type: 'text', content: 'ors and \\( n = 2 \\) sizes.' }],
  ['equation', page[4]?.[6], { type: 'equation', content: '\\[\n\\left( a+b \\right)^{2} <  c\n\\]' }],
  [
    'table',
    page[6]?.[6],
    {
      type: 'table',
      content: '<table><tr><td>Item</td><td>Qty</td></tr><tr><td>Nut &amp; bolt</td><td><eq>x_1</eq></td></tr></table>',
    },
  ],
  ['image', chart, { type: 'chart', subType: 'bar', content: '| Year | Sales |\n|---|---|\n| 2024 | 7 |' }],
])('a block of type %s is printed as MinerU prints it', (type, answer = '', printed) => {
  expect(printedContent(type, answer)).toEqual(printed)
})

it('every block has its content', () => {
  const answers = new Map<number, BlockAnswer>(page.map((row, at) => [at, { text: row[6], finish: 'stop' }]))
  const readings = mineruFamily.finishPage(blocks, answers, options)
  expect(readings.map(({ content }) => [content?.kind, content?.text, content?.subKind])).toEqual([
    ['page_header', 'Sample Report', undefined],
    ['heading', '1. Overview', undefined],
    ['text', 'Widgets come in two col-', undefined],
    ['text', 'ors and \\( n = 2 \\) sizes.', undefined],
    ['formula', '\\left( a+b \\right)^{2} < c', undefined],
    ['caption', 'Table 1: Stock', undefined],
    ['table', 'Item\tQty\nNut & bolt\t\\( x_1 \\)', undefined],
    ['chart', 'Year\tSales\n2024\t7', 'bar'],
    ['caption', 'Figure 1: Sales', undefined],
    ['page_number', '3', undefined],
  ])
})
