import { describe, expect, it } from 'vitest'
import type { Tag } from '../../../../../src/schema/text-layer.ts'
import { prose, SyntheticPage } from '../../../../support/synthetic-page.ts'

const tag = (role: string, parent: number, ...mcids: number[]): Tag => ({ role, parent, mcids })

describe('tags of a page', () => {
  it('give levels, list depth and markers, and what they leave out is furniture', () => {
    const page = new SyntheticPage()
    page.write('Inlet Quarterly', 60, 40)
    page.write('Tides', 60, 120, { mcid: 0 })
    page.column(prose('a', 4, 400), 60, 134, { mcid: 1 })
    page.write('•', 70, 200, { mcid: 2 })
    page.write('rising water', 82, 200, { mcid: 3 })
    page.write('•', 90, 214, { mcid: 4 })
    page.write('spring tide', 102, 214, { mcid: 5 })
    page.tags = [
      tag('Document', -1),
      tag('H2', 0, 0),
      tag('P', 0, 1),
      tag('L', 0),
      tag('LI', 3),
      tag('Lbl', 4, 2),
      tag('LBody', 4),
      tag('P', 6, 3),
      tag('L', 6),
      tag('LI', 8),
      tag('Lbl', 9, 4),
      tag('LBody', 9, 5),
    ]
    const blocks = page.blocks()
    expect(blocks.map((b) => [b.kind, page.textOf(b), b.level ?? b.depth])).toEqual([
      ['page_header', 'Inlet Quarterly', undefined],
      ['heading', 'Tides', 2],
      ['text', page.textOf(blocks[2] as never), undefined],
      ['list_item', '• rising water', 0],
      ['list_item', '• spring tide', 1],
    ])
    expect(blocks[3]?.marker).toBe('•')
  })

  it('are not believed when every line is a paragraph of its own', () => {
    const page = new SyntheticPage()
    const lines = prose('a', 8, 400)
    for (const [i, line] of lines.entries()) page.write(line, 60, 120 + i * 12, { mcid: i })
    page.tags = [tag('Document', -1), ...lines.map((_, i) => tag('P', 0, i))]
    expect(page.blocks()).toHaveLength(1)
  })

  it('are not believed when the whole page is one paragraph', () => {
    const page = new SyntheticPage()
    for (let p = 0; p < 4; p++) page.column(prose(`p${p}x`, 5, 400), 60, 120 + p * 80, { mcid: 0 })
    page.tags = [tag('P', -1, 0)]
    expect(page.blocks()).toHaveLength(4)
  })

  it('do not decide an order that runs up the page', () => {
    const page = new SyntheticPage()
    for (let p = 0; p < 4; p++) page.column(prose(`p${p}x`, 5, 400), 60, 120 + p * 80, { mcid: p })
    page.tags = [tag('Document', -1), tag('P', 0, 3), tag('P', 0, 2), tag('P', 0, 1), tag('P', 0, 0)]
    expect(page.blocks().map((b) => page.words[b.lines[0]?.words?.[0] ?? -1]?.text)).toEqual(['p0x0', 'p1x0', 'p2x0', 'p3x0'])
  })

  it('give figures their alternative text', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 5, 400), 60, 120, { mcid: 0 })
    page.pictures.push({ box: [100, 220, 300, 360], widthPx: 400, heightPx: 300 })
    page.tags = [tag('P', -1, 0), { ...tag('Figure', -1), alt: 'A lighthouse' }]
    expect(page.blocks().find((b) => b.kind === 'figure')?.alt).toBe('A lighthouse')
  })
})
