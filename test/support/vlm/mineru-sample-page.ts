import { mineruFamily } from '../../../src/runtime/vlm/families/mineru/mineru-family.ts'
import type { BlockAnswer } from '../../../src/runtime/vlm/family.ts'
import type { LayoutBlock, PageBlock } from '../../../src/schema/page.ts'
import { blockContent, pageBlock } from '../../../src/stages/region-recognition/page-block.ts'
import { saidBlock } from '../../../src/stages/region-recognition/read-blocks.ts'

const chart = `<|class_start|>chart<|class_end|><|sub_class_start|>bar<|sub_class_end|><|caption_start|>Sales bars<|caption_end|><|content_start|>| Year | Sales |
|---|---|
| 2024 | 7 |<|content_end|>`

/** Box in thousandths, label, what follows it, answer: a page of two columns. */
const elements: readonly (readonly [box: string, label: string, tail: string, answer: string])[] = [
  ['080 020 920 040', 'header', '', 'Sample Report'],
  ['100 060 900 100', 'title', '', '1. Overview'],
  ['100 120 480 400', 'text', '', 'Widgets come in two col-'],
  ['520 120 900 200', 'text', 'txt_contd_tgt', 'ors and \\[ n = 2 \\] sizes.'],
  ['520 220 900 260', 'equation', '', '\\[ \\left( a+b \\right)^{2} < c \\]'],
  ['520 280 900 300', 'table_caption', '', 'Table 1: Stock'],
  ['520 310 900 400', 'table', '', '<fcel>Item<fcel>Qty<nl><fcel>Nut & bolt<fcel>\\(x_1\\)<nl>'],
  ['100 450 480 700', 'image', '', chart],
  ['100 710 480 730', 'image_caption', '', 'Figure 1: Sales'],
  ['480 960 520 980', 'page_number', '', '3'],
]

/** The blocks of a page as MinerU2.5 sees and reads them, a picture cut out of the chart. */
export function mineruSampleBlocks(): PageBlock[] {
  const layout = elements.map(([box, label, tail]) => `<|box_start|>${box}<|box_end|><|ref_start|>${label}<|ref_end|><|rotate_up|>${tail}`).join('\n')
  const { blocks } = mineruFamily.parseLayout(layout)
  const answers = new Map<number, BlockAnswer>(elements.map(([, , , text], at) => [at, { text, finish: 'stop' }]))
  return mineruFamily.finishPage(blocks, answers, { imageAnalysis: true }).flatMap(({ of, box, content }, order) => {
    const found = blocks[of[0] ?? -1]
    if (!found || !content) return []
    const { kind, angle, type, continues } = found
    const block: LayoutBlock = { kind, box, angle, lines: [], source: 'vlm:MinerU2.5', flags: [], model: { type, ...(continues && { continues }) } }
    const read = saidBlock(block, order, content)
    const made = pageBlock({ id: `m${order}`, page: 0, order }, read, blockContent(read, { links: [] } as never), undefined)
    return [made.kind === 'chart' ? { ...made, image: { path: 'images/chart.png', widthPx: 646, heightPx: 550, alt: 'chart' } } : made]
  })
}
