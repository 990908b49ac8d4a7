import { describe, expect, it } from 'vitest'
import { prose, SyntheticPage } from '../../../../support/synthetic-page.ts'

const kindOf = (page: SyntheticPage, start: string): string | undefined =>
  page
    .read()
    .find((b) => b.includes(`: ${start}`))
    ?.split(':')[0]

describe('kinds of block', () => {
  it('takes large, bold, and italic lines above text for headings, and sentences for text', () => {
    const page = new SyntheticPage()
    page.write('A Study of Inlets', 60, 120, { size: 18 })
    page.write('1 Introduction', 60, 150, { bold: true })
    page.column(prose('a', 5, 400), 60, 164)
    page.write('Northern Inlets', 60, 245, { italic: true })
    page.column(prose('b', 5, 400), 60, 257)
    page.write('This bold sentence is part of the text and ends with a full stop.', 60, 340, { bold: true })
    page.column(prose('c', 3, 400), 60, 366)
    expect(['A', '1', 'Northern', 'This'].map((s) => kindOf(page, s))).toEqual(['heading', 'heading', 'heading', 'text'])
  })

  it('does not take author rows for headings', () => {
    const page = new SyntheticPage()
    page.write('A Study of Inlets', 200, 120, { size: 18, bold: true })
    page.write('Ada Birch, Ben Cedar, Cleo Delta', 200, 150, { size: 12, bold: true })
    page.column(prose('a', 8, 450), 60, 200)
    expect(kindOf(page, 'Ada')).toBe('text')
  })

  it('marks list items with marker and depth', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 3, 400), 60, 150)
    page.write('• first point of the list', 75, 200)
    page.write('– inner point of the list', 95, 212)
    page.write('• second point of the list', 75, 224)
    page.column(prose('b', 3, 400), 60, 250)
    const items = page.blocks().filter((b) => b.kind === 'list_item')
    expect(items.map((b) => [b.marker, b.depth])).toEqual([
      ['•', 0],
      ['–', 1],
      ['•', 0],
    ])
  })

  it('keeps the further lines of an item with it', () => {
    const page = new SyntheticPage()
    for (const [i, y] of [150, 186, 222].entries()) {
      page.write(`${i + 1}. ${prose(`i${i}x`, 1, 700)[0]}`, 75, y)
      page.column(prose(`j${i}x`, 2, 300), 88, y + 12)
    }
    const items = page.blocks().filter((b) => b.kind === 'list_item')
    expect(items.map((b) => b.lines.length)).toEqual([3, 3, 3])
  })

  it('ties a caption to the figure above it and a table title to what lies below', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 4, 400), 60, 120)
    page.pictures.push({ box: [100, 190, 400, 330], widthPx: 600, heightPx: 300 })
    page.write('Figure 3: Tides at the northern inlet', 120, 348, { size: 9 })
    page.column(prose('b', 6, 400), 60, 390)
    const blocks = page.blocks()
    const caption = blocks.find((b) => b.kind === 'caption')
    expect(blocks[caption?.parent ?? -1]?.kind).toBe('figure')
  })

  it('gives the labels inside a drawing to the figure', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 5, 400), 60, 120)
    page.drawings.push([100, 200, 400, 360])
    page.write('pump', 150, 240, { size: 8 })
    page.write('valve', 300, 300, { size: 8 })
    page.column(prose('b', 5, 400), 60, 400)
    const figure = page.read().find((b) => b.startsWith('figure'))
    expect(figure).toMatch(/pump/)
    expect(figure).toMatch(/valve/)
  })

  it('takes small type under a rule at the foot for footnotes, each with its mark', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 40, 450), 60, 120)
    page.rules.push({ direction: 'horizontal', at: 640, from: 60, to: 140, thickness: 0.5 })
    page.write('1', 60, 648, { size: 6, raised: 'super' })
    page.write('See the survey of 1868 for the older maps.', 66, 652, { size: 8 })
    page.write('2', 60, 659, { size: 6, raised: 'super' })
    page.write('The register names another inlet.', 66, 663, { size: 8 })
    const notes = page.blocks().filter((b) => b.kind === 'footnote')
    expect(notes.map((b) => b.marker)).toEqual(['1', '2'])
  })

  it('is sure of a page number and of a small running head beside one, and of nothing else', () => {
    const page = new SyntheticPage()
    page.write('Tides and Inlets', 60, 40, { size: 8, italic: true })
    page.write('17', 530, 40, { size: 8 })
    page.column(prose('a', 20, 470), 60, 120)
    page.write('This could be the last line of a letter', 60, 770)
    expect(page.read()[0]).toBe('page_header: Tides and Inlets')
    expect(kindOf(page, '17')).toBe('page_number')
    expect(kindOf(page, 'This')).toBe('text')
  })

  it('tells a displayed formula from a line with signs in it', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 4, 400), 60, 120)
    page.write('E = mc² + ∑ x', 200, 190, { symbolic: true })
    page.write('(4)', 440, 190)
    page.write('where x = 4 holds for every inlet of the northern ridge as shown above', 60, 220)
    page.column(prose('b', 4, 400), 60, 232)
    expect(kindOf(page, 'E')).toBe('formula')
    expect(kindOf(page, 'where')).toBe('text')
  })

  it('joins code over blank lines, and takes a typed page for text', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 6, 400), 60, 120)
    page.column(['function add(a, b) {', '  return a + b;', '}'], 60, 210, { monospace: true })
    page.column(['console.log(add(1, 2));'], 60, 262, { monospace: true })
    page.column(prose('b', 6, 400), 60, 300)
    expect(page.read().filter((b) => b.startsWith('code'))).toHaveLength(1)

    const typed = new SyntheticPage()
    typed.column(prose('a', 12, 400), 60, 120, { monospace: true })
    expect(typed.blocks().every((b) => b.kind === 'text')).toBe(true)
  })

  it('makes an entry of each line of a contents list', () => {
    const page = new SyntheticPage()
    page.write('Contents', 60, 110, { bold: true, size: 14 })
    for (const [i, name] of ['Amber', 'Birch', 'Cedar'].entries()) page.write(`${i + 1} ${name} ${'. '.repeat(20)}${i * 7 + 1}`, 60, 140 + i * 14)
    expect(page.blocks().filter((b) => b.kind === 'index_entry')).toHaveLength(3)
  })

  it('takes what follows the heading of a bibliography for references', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 8, 400), 60, 120)
    page.write('References', 60, 240, { bold: true, size: 12 })
    page.column(['[1] Birch, A. (1901). On inlets of the north.', '[2] Cedar, B. (1911). On ridges of the north.'], 60, 260, { leading: 16 })
    expect(page.blocks().filter((b) => b.kind === 'reference')).toHaveLength(2)
  })

  it('sets side notes apart from the text', () => {
    const page = new SyntheticPage()
    page.column(prose('a', 24, 340), 180, 120)
    page.column(['Tides rise', 'twice a day', 'in the inlet'], 60, 200, { size: 7, leading: 9 })
    expect(kindOf(page, 'Tides')).toBe('aside')
  })
})
