import { describe, expect, it } from 'vitest'
import type { DocumentInfo } from '../../../../../src/schema/document.ts'
import type { Look, PageBlock } from '../../../../../src/schema/page.ts'
import { assembled } from '../../../../support/assembled.ts'
import { block, look, page } from '../../../../support/page-results.ts'

const body = () => block({ kind: 'text', text: 'A paragraph of running text that is long enough to be the body of the document, set in its type.' })
const heading = (text: string, sizePt: number, more: Partial<Look> = {}, rest: Partial<PageBlock> = {}) =>
  block({ kind: 'heading', text, look: look(sizePt, more), ...rest })
const info = (more: Partial<DocumentInfo>): DocumentInfo => ({
  pageCount: 1,
  mediaType: 'application/pdf',
  metadata: {},
  outline: [],
  tagged: false,
  flags: [],
  ...more,
})

/** Levels by text; texts follow each other on one page, body after each. */
async function levels(headings: readonly PageBlock[], more: Partial<DocumentInfo> = {}): Promise<Record<string, number | undefined>> {
  const { document } = await assembled(
    [
      page(
        0,
        headings.flatMap((h) => [h, body()]),
      ),
    ],
    { info: info(more) },
  )
  return Object.fromEntries(document.blocks.filter((b) => b.kind === 'heading').map((b) => [b.text, b.level]))
}

describe('heading levels', () => {
  it('follow the depth of printed numbers below a title', async () => {
    const all = [
      heading('A Two Column Example', 17),
      heading('1 Introduction', 12, { bold: true }),
      heading('2 Structures', 12, { bold: true }),
      heading('2.1 Mathematics', 12, { bold: true }),
    ]
    expect(await levels(all)).toEqual({ 'A Two Column Example': 1, '1 Introduction': 2, '2 Structures': 2, '2.1 Mathematics': 3 })
  })

  it('put sections without a number beside the numbered ones', async () => {
    const all = [
      heading('The title', 20),
      heading('Abstract', 9, { bold: true }),
      heading('1 Introduction', 12),
      heading('1.1 Aims', 10, { italic: true }),
      heading('Acknowledgements', 12),
      heading('References', 12),
    ]
    expect(await levels(all)).toMatchObject({ Abstract: 2, '1 Introduction': 2, '1.1 Aims': 3, Acknowledgements: 2, References: 2 })
  })

  it('follow size, weight and capitals where nothing is numbered', async () => {
    const all = [
      heading('First part', 16),
      heading('CHAPTER', 13, { bold: true, capitals: true }),
      heading('Section', 13, { bold: true }),
      heading('Paragraph', 13),
      heading('Second part', 16),
    ]
    expect(await levels(all)).toEqual({ 'First part': 1, CHAPTER: 2, Section: 3, Paragraph: 4, 'Second part': 1 })
  })

  it('forgive the sizes of a scan', async () => {
    const scan = { source: 'ocr' as const }
    const all = [heading('One', 15.1, {}, scan), heading('Two', 14.6, {}, scan), heading('Under', 11, {}, scan), heading('Three', 15.6, {}, scan)]
    expect(await levels(all)).toEqual({ One: 1, Two: 1, Under: 2, Three: 1 })
  })

  it('come from the bookmarks, and their looks pass on to headings without one', async () => {
    const outline = [
      { title: 'Beginnings', level: 1, page: 0 },
      { title: 'Early days', level: 2, page: 0 },
      { title: 'Later days', level: 2, page: 0 },
    ]
    const all = [
      heading('Beginnings', 14),
      heading('Early days', 14, { italic: true }),
      heading('Latter days', 14, { italic: true }),
      heading('Last days', 14, { italic: true }),
    ]
    expect(await levels(all, { outline })).toEqual({ Beginnings: 1, 'Early days': 2, 'Latter days': 2, 'Last days': 2 })
  })

  it('come from tags where these tell levels apart', async () => {
    const all = [heading('Titre du document', 24, {}, { level: 1 }), heading('Partie', 12, {}, { level: 2 }), heading('Sous-partie', 16, {}, { level: 3 })]
    expect(await levels(all)).toEqual({ 'Titre du document': 1, Partie: 2, 'Sous-partie': 3 })
  })

  it('are not taken from tags that call everything the same', async () => {
    const all = [
      heading('Large', 18, {}, { level: 1 }),
      heading('Small', 12, {}, { level: 1 }),
      heading('Large too', 18, {}, { level: 1 }),
      heading('Small too', 12, {}, { level: 1 }),
    ]
    expect(await levels(all)).toMatchObject({ Large: 1, Small: 2 })
  })

  it('leave a subtitle and the authors out of the ladder', async () => {
    const lines = [heading('The title', 24), heading('A subtitle', 16, { italic: true }), heading('First section', 14)]
    const { document } = await assembled([page(0, [...lines, body(), heading('Second section', 14), body(), heading('Below', 12), body()])])
    expect(document.blocks.flatMap((b) => b.level ?? [])).toEqual([1, 2, 2, 2, 3])
  })

  it('order words of chapters above decimal numbers', async () => {
    const all = [heading('Chapter 1: Rocks', 18), heading('1.1 Granite', 14), heading('1.1.1 Red granite', 14), heading('Chapter 2: Sand', 18)]
    expect(await levels(all)).toEqual({ 'Chapter 1: Rocks': 1, '1.1 Granite': 2, '1.1.1 Red granite': 3, 'Chapter 2: Sand': 1 })
  })
})

describe('what is a heading', () => {
  it('includes a short text that a bookmark names', async () => {
    const { document } = await assembled([page(0, [block({ kind: 'text', text: 'Part I – Definitions' }), body()])], {
      info: info({ outline: [{ title: 'Part I - Definitions', level: 1, page: 0 }] }),
    })
    expect(document.blocks[0]).toMatchObject({ kind: 'heading', level: 1 })
  })

  it('includes a text that is printed as only headings are', async () => {
    const all = ['One', 'Two', 'Three', 'Four'].map((t) => heading(t, 14))
    const { document } = await assembled([
      page(
        0,
        all.flatMap((h) => [h, body()]),
      ),
      page(1, [block({ kind: 'text', text: 'Missed', look: look(14) }), body()]),
    ])
    expect(document.blocks.find((b) => b.text === 'Missed')).toMatchObject({ kind: 'heading', level: 1 })
  })

  it('excludes what stands out on its page but is set as the body of the document', async () => {
    const notes = page(1, [heading('Set like the body', 10), block({ kind: 'text', text: 'Tiny notes.', look: look(7) })])
    const { document } = await assembled([page(0, [heading('Real', 16), body(), body()]), notes])
    expect(document.blocks.find((b) => b.text === 'Set like the body')?.kind).toBe('text')
  })

  it('leaves a document without clear headings without any', async () => {
    const { document } = await assembled([page(0, [body(), body()])])
    expect(document.blocks.every((b) => b.level === undefined)).toBe(true)
  })
})

describe('the title', () => {
  const first = (blocks: readonly PageBlock[], title?: string) =>
    assembled([page(0, blocks)], title === undefined ? {} : { info: info({ metadata: { title } }) })

  it('is that of the metadata when the first page says it too', async () => {
    const { document } = await first([heading('Core mutations and response', 20), body()], 'Core Mutations and Response')
    expect(document.title).toBe('Core mutations and response')
  })

  it('is the largest heading when the metadata names a file', async () => {
    const { document } = await first([heading('A Study of Rivers', 20), body(), heading('1 Start', 14)], 'Microsoft Word - final_v2.doc')
    expect(document.title).toBe('A Study of Rivers')
  })

  it('is not that of the metadata when the page says another', async () => {
    const { document } = await first([heading('A Study of Rivers', 20), body()], 'Template for theses')
    expect(document.title).toBe('A Study of Rivers')
  })

  it('is that of the metadata when the page has no heading', async () => {
    expect((await first([body()], 'A Study of Rivers')).document.title).toBe('A Study of Rivers')
  })

  it('is one heading though it runs over two lines that the page parted', async () => {
    const lines = [heading('Introduction to', 20, {}, { box: [0.3, 0.1, 0.7, 0.13] }), heading('Geometry', 20, {}, { box: [0.35, 0.14, 0.65, 0.17] })]
    const { document } = await first([...lines, body()], 'Geometry')
    expect(document.title).toBe('Introduction to Geometry')
    expect(document.blocks[0]).toMatchObject({ kind: 'heading', level: 1, text: 'Introduction to Geometry', flags: ['merged'] })
  })

  it('is the heading that opens the document, even when sections are larger', async () => {
    const { document } = await first([
      heading('The Evolution', 11, { bold: true }),
      body(),
      heading('Beginnings', 14, { bold: true }),
      body(),
      heading('Ends', 14, { bold: true }),
      body(),
    ])
    expect(document.title).toBe('The Evolution')
    expect(document.blocks.filter((b) => b.kind === 'heading').map((b) => b.level)).toEqual([1, 2, 2])
  })

  it('is no level of its own when it is one chapter among others', async () => {
    const pages = [0, 1, 2].map((i) => page(i, [heading(`${['Rocks', 'Sand', 'Dust'][i]}`, 18), body()]))
    const { document } = await assembled(pages)
    expect(document.blocks.filter((b) => b.kind === 'heading').map((b) => b.level)).toEqual([1, 1, 1])
  })
})
