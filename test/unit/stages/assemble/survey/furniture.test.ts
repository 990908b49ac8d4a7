import { describe, expect, it } from 'vitest'
import type { Box } from '../../../../../src/schema/geometry.ts'
import { assembled } from '../../../../support/assembled.ts'
import { block, look, page, tableBlock } from '../../../../support/page-results.ts'

const head: Box = [0.3, 0.04, 0.7, 0.052]
const foot: Box = [0.48, 0.95, 0.52, 0.962]
const body = (i: number) => block({ kind: 'text', text: `Body of page ${'abcdefghij'[i]}, which is\nlonger than a line.`, box: [0.1, 0.2, 0.9, 0.24] })
const kindsOf = async (pages: Parameters<typeof assembled>[0], text: string) =>
  (await assembled(pages)).document.blocks.filter((b) => b.text.startsWith(text)).map((b) => b.kind)

describe('running headers and footers', () => {
  it('are found by repetition at one place, whatever the numbers in them', async () => {
    const pages = [0, 1, 2, 3].map((i) => page(i, [block({ kind: 'text', text: `Annual report · page ${i + 7}`, box: head }), body(i)]))
    expect(await kindsOf(pages, 'Annual')).toEqual(Array(4).fill('page_header'))
    const { markdown, chunks } = await assembled(pages)
    expect(markdown).not.toContain('Annual report')
    expect(chunks.some((c) => c.text.includes('Annual report'))).toBe(false)
  })

  it('alternate on odd and even pages', async () => {
    const pages = [0, 1, 2, 3, 4, 5].map((i) => page(i, [block({ kind: 'heading', text: i % 2 ? 'The author' : 'The book', box: head }), body(i)]))
    expect(await kindsOf(pages, 'The')).toEqual(Array(6).fill('page_header'))
  })

  it('change with the section where one detached line stands at the edge of most pages', async () => {
    const sections = ['Rivers', 'Lakes', 'Seas', 'Ponds', 'Wells', 'Bays']
    const pages = sections.map((text, i) => page(i, [block({ kind: 'text', text, box: head }), body(i)]))
    expect(await kindsOf(pages, 'Rivers')).toEqual(['page_header'])
  })

  it('are told by the title of a section that they repeat, on that page and on those that say something else there', async () => {
    const title = block({ kind: 'heading', text: '1. The rivers', box: [0.1, 0.2, 0.5, 0.23], look: look(16) })
    const pages = [page(0, [title, body(0)]), page(1, [block({ kind: 'text', text: 'The rivers', box: head }), body(1)])]
    expect(await kindsOf(pages, 'The rivers')).toEqual(['page_header'])
    const other = page(2, [block({ kind: 'text', text: 'A – C', box: head }), body(2)])
    expect(await kindsOf([...pages, other], 'A –')).toEqual(['page_header'])
    expect(await kindsOf([page(0, [body(0)]), page(1, [body(1)]), other], 'A –')).toEqual(['text'])
  })

  it('are page numbers where nothing else is said', async () => {
    const pages = ['iv', 'v', 'vi', 'vii'].map((text, i) => page(i, [body(i), block({ kind: 'text', text, box: foot })]))
    const { document } = await assembled(pages)
    expect(document.blocks.filter((b) => b.kind === 'page_number').map((b) => b.text)).toEqual(['iv', 'v', 'vi', 'vii'])
  })

  it('are nothing that stands on one page only', async () => {
    const once = page(0, [
      block({ kind: 'text', text: 'A first line', box: head }),
      body(0),
      block({ kind: 'text', text: 'A last line', box: [0.1, 0.93, 0.4, 0.95] }),
    ])
    expect(await kindsOf([once], 'A ')).toEqual(['text', 'text'])
  })

  it('leave the title of the first page where it is, though later pages repeat it', async () => {
    const title = () => block({ kind: 'heading', text: 'WARN Report', box: head, look: look(18, { bold: true }) })
    const pages = [0, 1, 2, 3].map((i) => page(i, [title(), body(i)]))
    expect(await kindsOf(pages, 'WARN')).toEqual(['heading', 'page_header', 'page_header', 'page_header'])
  })

  it('are not large titles that a few slides share', async () => {
    const deck = Array.from({ length: 12 }, (_, i) =>
      page(i, [
        block({ kind: 'heading', text: i > 3 && i < 7 ? 'Agenda' : `Topic ${'abcdefghijkl'[i]}`, box: [0.1, 0.08, 0.5, 0.12], look: look(28) }),
        body(i % 10),
      ]),
    )
    expect(await kindsOf(deck, 'Agenda')).toEqual(['heading', 'heading', 'heading'])
  })

  it('are not seen in a page that is there twice', async () => {
    const memo = () => [
      block({ kind: 'heading', text: 'Memo', box: head, look: look(14, { bold: true }) }),
      body(0),
      block({ kind: 'text', text: 'Signed', box: foot }),
    ]
    const { document } = await assembled([page(0, memo()), page(1, memo())])
    expect(document.blocks.map((b) => b.kind)).toEqual(['heading', 'text', 'text', 'heading', 'text', 'text'])
  })

  it('are never a row of figures that ends a table on every page', async () => {
    const pages = [0, 1, 2, 3, 4].map((i) => page(i, [body(i), block({ kind: 'text', text: `Total ${i * 37 + 11}`, box: [0.1, 0.9, 0.9, 0.92] })]))
    expect(await kindsOf(pages, 'Total')).toEqual(Array(5).fill('text'))
  })

  it('are small tables only where they are the same to the figure', async () => {
    const letterhead = (n: number) => tableBlock([['Form 7', `No ${n}`]], 0, [0.1, 0.03, 0.9, 0.06])
    const same = await assembled([0, 1, 2, 3].map((i) => page(i, [letterhead(5), body(i)])))
    const other = await assembled([0, 1, 2, 3].map((i) => page(i, [letterhead(i), body(i)])))
    expect(same.document.blocks[0]?.kind).toBe('page_header')
    expect(other.document.blocks[0]?.kind).toBe('table')
  })

  it('never empty the pages of a document that says one short line on each', async () => {
    const pages = [0, 1, 2, 3, 4].map((i) => page(i, [block({ kind: 'text', text: `This is page number ${i + 1}.`, box: [0.1, 0.1, 0.5, 0.12] })]))
    expect(await kindsOf(pages, 'This')).toEqual(Array(5).fill('text'))
  })

  it('include the printed label of the only page', async () => {
    const one = page(0, [body(0), block({ kind: 'text', text: '7-45', box: foot })], { label: '7-45' })
    expect(await kindsOf([one], '7-45')).toEqual(['page_number'])
  })
})
