import { describe, expect, it } from 'vitest'
import type { Config } from '../../../../src/config/config.ts'
import type { LineReader } from '../../../../src/runtime/text-reader.ts'
import { PagestreamError } from '../../../../src/schema/failure.ts'
import { type PageBlock, type PageResult, pageResultSchema } from '../../../../src/schema/page.ts'
import type { Outcome } from '../../../../src/schema/stage.ts'
import { regionRecognitionStage } from '../../../../src/stages/region-recognition/stage.ts'
import type { LaidOutPage, RecognizedPage } from '../../../../src/stages/stage-values.ts'
import { config, greyDocuments, knowingReader, PageMaker } from './page-maker.ts'

interface Given {
  readonly reader?: LineReader
  readonly config?: Config
  readonly documents?: ReturnType<typeof greyDocuments>
}

async function outcomes(pages: readonly LaidOutPage[], maker: PageMaker, given: Given = {}): Promise<Outcome<LaidOutPage, RecognizedPage>[]> {
  const stage = regionRecognitionStage({
    documents: given.documents ?? greyDocuments(),
    reader: given.reader ?? knowingReader(maker),
    config: given.config ?? config(),
  })
  const all: Outcome<LaidOutPage, RecognizedPage>[] = []
  for await (const outcome of stage.process({ id: 1, pages }, new AbortController().signal)) all.push(outcome)
  return all
}

async function recognized(maker: PageMaker, given: Given = {}): Promise<RecognizedPage> {
  const [outcome] = await outcomes([maker.page()], maker, given)
  if (outcome?.kind !== 'done') throw new Error(outcome?.kind === 'failed' ? outcome.failure.message : 'no outcome')
  return outcome.value
}

async function result(maker: PageMaker, given: Given = {}): Promise<PageResult> {
  return pageResultSchema.parse((await recognized(maker, given)).result)
}

const only = ({ blocks }: PageResult): PageBlock => {
  expect(blocks).toHaveLength(1)
  return blocks[0] as PageBlock
}

describe('region recognition of a text layer', () => {
  it('joins lines to running text and keeps each as printed', async () => {
    const maker = new PageMaker()
    maker.block('text', [maker.line('The vocab-', 50, 100), maker.line('ulary of 3.5 mm', 50, 112)])
    const block = only(await result(maker))
    expect(block.text).toBe('The vocabulary of 3.5 mm')
    expect(block.markdown).toBe('The vocabulary of 3.5 mm')
    expect(block.lines.map((line) => line.text)).toEqual(['The vocab-', 'ulary of 3.5 mm'])
    expect(block.source).toBe('text-layer')
    expect(block.look).toMatchObject({ sizePt: 10, bold: false, font: 'Body' })
  })

  it('marks bold and italic runs, superscripts and safe links', async () => {
    const maker = new PageMaker()
    const [strong, slanted] = [maker.style({ bold: true }), maker.style({ italic: true })]
    const link = maker.link({ uri: 'https://example.org/a(b)' })
    const bad = maker.link({ uri: 'javascript:alert(1)' })
    const line = maker.line([
      ['Very', { style: strong }],
      ['bold:', { style: strong }],
      'text',
      ['2', { raised: 'super', spaceBefore: false }],
      ['slanted', { style: slanted }],
      ['a', { link }],
      ['link', { link }],
      ['click', { link: bad }],
    ])
    maker.block('text', [line])
    const block = only(await result(maker))
    expect(block.text).toBe('Very bold: text2 slanted a link click')
    expect(block.markdown).toBe('**Very bold**: text<sup>2</sup> *slanted* [a link](https://example.org/a%28b%29) click')
  })

  it('leaves emphasis out of headings and escapes what Markdown would take for syntax', async () => {
    const maker = new PageMaker()
    const strong = maker.style({ bold: true, sizePt: 16 })
    maker.block('heading', [
      maker.line([
        ['1.', { style: strong }],
        ['*Stars*', { style: strong }],
      ]),
    ])
    const block = only(await result(maker))
    expect(block.markdown).toBe('1\\. \\*Stars\\*')
    expect(block.look).toMatchObject({ bold: true, sizePt: 16 })
  })

  it('writes list items with their marker in text and as Markdown', async () => {
    const maker = new PageMaker()
    maker.block('list_item', [maker.line('2. 计算机视觉')], { marker: '2.' })
    maker.block('list_item', [maker.line('\uf0b7 a bullet')], { marker: '\uf0b7' })
    maker.block('list_item', [maker.line('a) a letter')])
    maker.block('list_item', [maker.line('☐ an open box')])
    const { blocks } = await result(maker)
    expect(blocks.map((b) => [b.text, b.marker, b.markdown])).toEqual([
      ['2. 计算机视觉', '2.', '2. 计算机视觉'],
      ['• a bullet', '•', '- a bullet'],
      ['a) a letter', 'a)', '- a) a letter'],
      ['☐ an open box', '☐', '- [ ] an open box'],
    ])
  })

  it('keeps the lines and indents of code', async () => {
    const maker = new PageMaker()
    maker.block('code', [maker.line('if (x) {', 50, 100), maker.line('go()', 60, 110), maker.line('}', 50, 120), maker.line('end()', 50, 140)])
    const block = only(await result(maker))
    expect(block.text).toBe('if (x) {\n  go()\n}\n\nend()')
    expect(block.markdown).toBe('```\nif (x) {\n  go()\n}\n\nend()\n```')
  })

  it('opens ligatures and drops soft hyphens, controls and direction marks', async () => {
    const maker = new PageMaker()
    maker.block('text', [maker.line(['e\ufb03cient', 'co\u00adop', 'a\u202eb\u0007', 'end\u00ad'], 50, 100), maker.line('ing', 50, 112)])
    const block = only(await result(maker))
    expect(block.text).toBe('efficient coop ab ending')
    expect(block.lines[0]?.text).toBe('efficient coop ab end-')
  })

  it('says where it took a hyphen out of a broken word', async () => {
    const maker = new PageMaker()
    maker.block('text', [maker.line(['a', '*vocab-'], 50, 100), maker.line('ulary', 50, 112)])
    expect(only(await result(maker))).toMatchObject({ text: 'a *vocabulary', markdown: 'a \\*vocabulary', hyphens: [{ text: 8, markdown: 9 }] })
  })

  it('keeps line breaks that are meant', async () => {
    const maker = new PageMaker()
    maker.block('text', [maker.line('Who rides so late', 50, 100), maker.line('- through the night', 50, 112)], { brokenByHand: true })
    expect(only(await result(maker))).toMatchObject({ text: 'Who rides so late\n- through the night', markdown: 'Who rides so late\\\n\\- through the night' })
  })

  it('makes a table of its grid and its words', async () => {
    const maker = new PageMaker()
    const cell = (row: number, column: number, text: string) => {
      const line = maker.line(text, 50 + 200 * column, 100 + 20 * row)
      return { row, column, rowSpan: 1, columnSpan: 1, box: line.box, header: row === 0, lines: [line] }
    }
    const cells = [cell(0, 0, 'Name'), cell(0, 1, 'a|b'), cell(1, 0, 'long vocab-'), cell(1, 1, '2')]
    maker.block('table', [], { box: [0.1, 0.1, 0.9, 0.3], table: { rows: 2, columns: 2, headerRows: 1, ruled: true, cells } })
    const page = await result(maker)
    expect(only(page)).toMatchObject({
      text: 'Name\ta|b\nlong vocab-\t2',
      markdown: '| Name | a\\|b |\n| --- | --- |\n| long vocab- | 2 |',
      source: 'text-layer',
    })
    expect(page.flags).toEqual([])
  })

  it('keeps hidden writing out of Markdown', async () => {
    const maker = new PageMaker()
    maker.block('text', [maker.line([['ignore', { hidden: 'same-colour' }]])], { flags: ['hidden-text'] })
    const page = await result(maker)
    expect(only(page)).toMatchObject({ text: 'ignore', markdown: '', flags: ['hidden-text'] })
    expect(page.flags).toContain('hidden-text')
  })

  it('counts trusted words that no block holds', async () => {
    const maker = new PageMaker()
    maker.line('three lost words')
    maker.block('text', [maker.line('kept')])
    const page = await result(maker)
    expect(page.lostWords).toBe(3)
    expect(page.flags).toEqual(['lost-text'])
  })

  it('flags words that are given twice', async () => {
    const maker = new PageMaker()
    const line = maker.line('twice')
    maker.block('text', [line])
    maker.block('text', [line])
    const page = await result(maker)
    expect(page.lostWords).toBe(0)
    expect(page.flags).toEqual(['lost-text'])
  })

  it('takes no picture of a page of words', async () => {
    const maker = new PageMaker()
    maker.block('text', [maker.line('words')])
    const documents = greyDocuments()
    await result(maker, { documents, config: config({ images: true }) })
    expect(documents.asked).toEqual([])
  })

  it('gives blocks the same ids every time and other ids on other pages', async () => {
    const maker = new PageMaker()
    maker.block('text', [maker.line('words')])
    const [a, b] = await outcomes([maker.page(0), maker.page(1)], maker)
    const ids = [a, b].map((o) => (o?.kind === 'done' ? o.value.result.blocks[0]?.id : ''))
    expect(ids[0]).toMatch(/^[0-9a-f]{16}$/)
    expect(ids[0]).not.toBe(ids[1])
    expect(only(await result(maker)).id).toBe(ids[0])
  })

  it('names the parent of a caption by its id', async () => {
    const maker = new PageMaker()
    maker.block('figure', [], { box: [0.1, 0.1, 0.5, 0.4] })
    maker.block('caption', [maker.line('Figure 1: A thing')], { parent: 0 })
    const { blocks } = await result(maker)
    expect(blocks[1]?.parent).toBe(blocks[0]?.id)
  })
})

describe('figures and formulas', () => {
  const maker = () => {
    const made = new PageMaker()
    made.block('figure', [made.line('axis')], { box: [0.1, 0.1, 0.5, 0.4] })
    made.block('caption', [made.line('Figure 1: [A] thing', 50, 400)], { parent: 0 })
    return made
  }

  it('are cut out as PNG files with the caption as alternative text', async () => {
    const documents = greyDocuments()
    const { result: page, images } = await recognized(maker(), { documents, config: config({ images: true }) })
    const figure = page.blocks[0]
    expect(figure?.image).toMatchObject({ alt: 'Figure 1: [A] thing', widthPx: 60, heightPx: 80 })
    expect(figure?.image?.path).toMatch(/^images\/[0-9a-f]{16}\.png$/)
    expect(figure?.markdown).toBe(`![Figure 1: \\[A\\] thing](${figure?.image?.path})`)
    expect(figure?.text).toBe('axis')
    expect(images.map((image) => image.path)).toEqual([figure?.image?.path])
    expect([...(images[0]?.bytes.slice(1, 4) ?? [])]).toEqual([...Buffer.from('PNG')])
    expect(documents.asked).toMatchObject([{ dpi: 200, region: [0.1, 0.1, 0.5, 0.4] }])
  })

  it('are not cut when pictures are off', async () => {
    const { result: page, images } = await recognized(maker())
    expect(images).toEqual([])
    expect(page.blocks[0]).toMatchObject({ text: 'axis', markdown: 'axis' })
  })

  it('stay as text when the page cannot be drawn', async () => {
    const documents = greyDocuments()
    const broken = { ...documents, use: () => Promise.reject(new PagestreamError('page-crashed', 'rendering')) }
    const { result: page, images } = await recognized(maker(), { documents: broken, config: config({ images: true }) })
    expect(images).toEqual([])
    expect(page.status).toBe('ok')
    expect(page.blocks[0]?.image).toBeUndefined()
  })

  it('never shows what a line reader makes of a formula', async () => {
    const made = new PageMaker()
    made.verdict = 'needs-reading'
    made.block('formula', [made.region('Ex=mc2garbage')])
    made.block('text', [made.region('Text beside it', 50, 300)])
    const page = await result(made, { config: config({ images: true }) })
    expect(page.blocks[0]).toMatchObject({ kind: 'formula', text: '', flags: ['unreadable'] })
    expect(page.blocks[0]?.image).toBeDefined()
  })
})

describe('region recognition of a picture', () => {
  it('reads all blocks of a page from one picture in one call', async () => {
    const maker = new PageMaker()
    maker.verdict = 'needs-reading'
    maker.block('text', [maker.region('First line of it', 50, 100), maker.region('second line.', 50, 120)])
    maker.block('text', [maker.region('Another paragraph.', 50, 200)])
    const documents = greyDocuments()
    const reader = knowingReader(maker)
    const page = await result(maker, { documents, reader })
    expect(page.blocks.map((block) => block.text)).toEqual(['First line of it second line.', 'Another paragraph.'])
    expect(page.blocks[0]).toMatchObject({ source: 'ocr', confidence: 0.95 })
    expect(page.textSource).toBe('ocr')
    expect(documents.asked).toMatchObject([{ dpi: 'native' }])
    expect(reader.calls).toBe(1)
  })

  it('drops empty lines, marks doubtful blocks and keeps blocks that cannot be read', async () => {
    const maker = new PageMaker()
    maker.verdict = 'needs-reading'
    maker.block('text', [maker.region('', 50, 100), maker.region('Words here', 50, 120)])
    maker.block('text', [maker.region('D0ubtfu1', 50, 200)])
    maker.block('text', [maker.region('', 50, 300)])
    const reader = knowingReader(maker, (text) => (text === '' ? 0 : text.startsWith('D0') ? 0.4 : 0.9))
    const page = await result(maker, { reader })
    expect(page.blocks.map((block) => [block.text, block.flags])).toEqual([
      ['Words here', []],
      ['D0ubtfu1', ['low-confidence']],
      ['', ['unreadable']],
    ])
  })

  it('gives full-width signs back their plain form in writing that has no use for them', async () => {
    const maker = new PageMaker()
    maker.verdict = 'needs-reading'
    maker.block('text', [maker.region('uien，laurier（1，5）', 50, 100)])
    maker.block('text', [maker.region('公司，成立', 50, 200)])
    expect((await result(maker)).blocks.map((block) => block.text)).toEqual(['uien, laurier(1,5)', '公司，成立'])
  })

  it('joins regions of one printed line', async () => {
    const maker = new PageMaker()
    maker.verdict = 'needs-reading'
    maker.block('text', [maker.region('left half', 50, 100), maker.region('right half', 200, 101), maker.region('below', 50, 120)])
    const block = only(await result(maker))
    expect(block.lines.map((line) => line.text)).toEqual(['left half right half', 'below'])
  })

  it('sees captions, headings, lists and page numbers in what it has read', async () => {
    const maker = new PageMaker()
    maker.verdict = 'needs-reading'
    maker.block('text', [maker.region('2.1 The method', 50, 50)])
    maker.block('text', [
      maker.region('A long paragraph of text that fills the whole width,', 50, 80),
      maker.region('and goes on in a second line of the same width.', 50, 100),
    ])
    maker.block('text', [maker.region('1. first thing', 50, 140), maker.region('that goes on', 60, 155), maker.region('2. second thing', 50, 170)])
    maker.block('text', [maker.region('Table 3: Results of it', 50, 300)])
    maker.block('text', [maker.region('- 17 -', 280, 770)])
    const { blocks } = await result(maker)
    expect(blocks.map((block) => [block.kind, block.text])).toEqual([
      ['heading', '2.1 The method'],
      ['text', 'A long paragraph of text that fills the whole width, and goes on in a second line of the same width.'],
      ['list_item', '1. first thing that goes on'],
      ['list_item', '2. second thing'],
      ['caption', 'Table 3: Results of it'],
      ['page_number', '- 17 -'],
    ])
    expect(blocks.map((block) => block.order)).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('sets words and writing in pictures side by side', async () => {
    const maker = new PageMaker()
    maker.verdict = 'mixed'
    maker.block('text', [maker.line('From the layer')])
    maker.block('text', [maker.region('From the picture', 50, 300)])
    const page = await result(maker)
    expect(page.blocks.map((block) => block.source)).toEqual(['text-layer', 'ocr'])
    expect(page.textSource).toBe('mixed')
  })
})

describe('a reader that fails', () => {
  const failing = (error: unknown): LineReader => ({ model: 'fake', read: () => Promise.reject(error) })

  it('leaves the words of the page and marks what could not be read', async () => {
    const maker = new PageMaker()
    maker.verdict = 'mixed'
    maker.block('text', [maker.line('From the layer')])
    maker.block('text', [maker.region('From the picture', 50, 300)])
    const page = await result(maker, { reader: failing(new PagestreamError('model-missing', 'opening the model')) })
    expect(page.status).toBe('ok')
    expect(page.blocks.map((block) => [block.text, block.flags])).toEqual([
      ['From the layer', []],
      ['', ['unreadable']],
    ])
  })

  it('falls back on the mistrusted text layer and says so', async () => {
    const maker = new PageMaker()
    maker.verdict = 'needs-reading'
    maker.line('old layer', 60, 302)
    maker.block('text', [maker.region('From the picture', 50, 300)])
    const page = await result(maker, { reader: failing(new PagestreamError('model-failed', 'running the model')) })
    expect(only(page)).toMatchObject({ text: 'old layer', source: 'text-layer', flags: ['fallback', 'bad-text-layer'] })
  })

  it('fails the page with the cause when nothing else can be given', async () => {
    const maker = new PageMaker()
    maker.verdict = 'needs-reading'
    maker.block('text', [maker.region('From the picture', 50, 300)])
    const [outcome] = await outcomes([maker.page()], maker, { reader: failing(new PagestreamError('model-missing', 'opening the model')) })
    expect(outcome).toMatchObject({ kind: 'failed', failure: { code: 'model-missing', class: 'model' } })
  })

  it('costs the one block that makes it fail', async () => {
    const maker = new PageMaker()
    maker.verdict = 'needs-reading'
    maker.block('text', [maker.region('poison', 50, 100)])
    maker.block('text', [maker.region('A good line', 50, 300)])
    const good = knowingReader(maker)
    const reader: LineReader = {
      model: 'fake',
      read: (picture, regions, signal) =>
        regions.some((region) => region === maker.regions[0])
          ? Promise.reject(new PagestreamError('model-failed', 'running'))
          : good.read(picture, regions, signal),
    }
    const page = await result(maker, { reader })
    expect(page.blocks.map((block) => [block.text, block.flags])).toEqual([
      ['', ['unreadable']],
      ['A good line', []],
    ])
  })

  it('hands what may pass to whoever tries again', async () => {
    const maker = new PageMaker()
    maker.verdict = 'mixed'
    maker.block('text', [maker.line('From the layer'), maker.region('From the picture', 50, 300)])
    const [outcome] = await outcomes([maker.page()], maker, { reader: failing(new PagestreamError('store-failed', 'reading')) })
    expect(outcome).toMatchObject({ kind: 'failed', failure: { class: 'transient' } })
  })
})

describe('the window', () => {
  it('yields one outcome a page, pages of words before those that wait for a reader', async () => {
    const words = new PageMaker()
    words.block('text', [words.line('words')])
    const scans = new PageMaker()
    scans.verdict = 'needs-reading'
    scans.block('text', [scans.region('scan')])
    const pages = [scans.page(0), scans.page(1), words.page(2), scans.page(3), words.page(4)]
    const slow: LineReader = {
      model: 'slow',
      read: async (_, regions) => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        return regions.map(() => ({ text: 'scan', confidence: 0.9, turned: false }))
      },
    }
    const order = (await outcomes(pages, scans, { reader: slow })).map((outcome) => outcome.input.page.pageIndex)
    expect(order.slice(0, 2)).toEqual([2, 4])
    expect([...order].sort()).toEqual([0, 1, 2, 3, 4])
  })

  it('ends after what is in flight when it is stopped', async () => {
    const maker = new PageMaker()
    maker.block('text', [maker.line('words')])
    const stop = new AbortController()
    const stage = regionRecognitionStage({ documents: greyDocuments(), reader: knowingReader(maker), config: config() })
    let seen = 0
    for await (const _ of stage.process({ id: 1, pages: [maker.page(0), maker.page(1), maker.page(2)] }, stop.signal)) {
      seen++
      stop.abort()
    }
    expect(seen).toBe(1)
  })
})
