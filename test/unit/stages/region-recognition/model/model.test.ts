import { describe, expect, it } from 'vitest'
import type { Picture } from '../../../../../src/runtime/document-reader.ts'
import type { FoundText, TextFinder } from '../../../../../src/runtime/text-reader.ts'
import type { FoundBlock, PageBlockReading, VlmPageReader } from '../../../../../src/runtime/vlm/page-reader.ts'
import { PictureCache } from '../../../../../src/runtime/vlm/pictures/picture-cache.ts'
import { PagestreamError } from '../../../../../src/schema/failure.ts'
import { type PageBlock, pageResultSchema } from '../../../../../src/schema/page.ts'
import type { BlockContent } from '../../../../../src/schema/vlm-block.ts'
import { regionRecognitionStage } from '../../../../../src/stages/region-recognition/stage.ts'
import type { LaidOutPage } from '../../../../../src/stages/stage-values.ts'
import { config, greyDocuments, knowingReader, PageMaker } from '../page-maker.ts'

type Said = Readonly<Record<string, Partial<BlockContent> | PagestreamError | 'nothing'>>

/** Says of each block what stands under its type; keeps what it was asked. */
function saying(said: Said, onePass = false) {
  const asked: FoundBlock[] = []
  const reader: VlmPageReader = {
    ...{
      family: 'mineru2.5',
      model: 'tiny',
      onePass,
      pagesAtOnce: 2,
      costMs: () => 1,
      start: async () => {},
      answers: async () => true,
      layout: async () => [],
    },
    async read(picture, blocks, { skip, onBlock }) {
      await picture()
      return blocks.flatMap((block, i): PageBlockReading[] => {
        const known = skip?.has(i)
        if (!known) asked.push(block)
        const answer = known ? undefined : said[block.type]
        if (answer === 'nothing') return []
        if (answer instanceof PagestreamError) throw answer
        if (!answer) return [{ of: [i], box: block.box, content: undefined, ...(known ? {} : { failure: { code: 'answer-invalid', message: 'no sense' } }) }]
        const content: BlockContent = { kind: block.kind, text: '', raw: '', flags: [], ...answer }
        onBlock?.({ ...block, content }, i)
        return [{ of: [i], box: block.box, content }]
      })
    },
    async [Symbol.asyncDispose]() {},
  }
  return { reader, asked }
}

/** Sees one piece of writing in the middle of the page. */
const finder: TextFinder = {
  model: 'fake',
  find: async (): Promise<FoundText> => ({ regions: [{ corners: [0.2, 0.5, 0.6, 0.5, 0.6, 0.52, 0.2, 0.52], score: 0.9 }], bestProbability: 0.9 }),
}

async function blocksOf(page: LaidOutPage, maker: PageMaker, reader: VlmPageReader, effort: 'low' | 'auto' | 'high' = 'auto'): Promise<PageBlock[]> {
  const documents = greyDocuments()
  const pictures = new PictureCache({ documents, dpi: 200, maxPixels: 1e6, maxBytes: 1e6 })
  const lines = knowingReader(maker)
  const ocr = {
    ...lines,
    read: async (picture: Picture, regions: Parameters<typeof lines.read>[1]) =>
      (await lines.read(picture, regions)).map((line) => (line.text === '' ? { ...line, text: 'read by lines', confidence: 0.9 } : line)),
  }
  const stage = regionRecognitionStage({ documents, reader: ocr, config: config(), model: { reader, pictures, finder, effort } })
  for await (const outcome of stage.process({ id: 1, pages: [page] }, new AbortController().signal)) {
    if (outcome.kind === 'failed') throw new PagestreamError(outcome.failure.code, outcome.failure.message)
    return pageResultSchema.parse(outcome.value.result).blocks
  }
  throw new Error('no outcome')
}

const modelled = (type: string, more = {}) => ({ box: [0.1, 0.1, 0.9, 0.3] as const, source: 'vlm:tiny' as const, model: { type, ...more } })

describe('pages that a vision-language model has laid out', () => {
  it('are read side by side, and their pictures given back', async () => {
    const makers = [new PageMaker(), new PageMaker()]
    for (const maker of makers) maker.block('text', [], modelled('text'))
    const { reader } = saying({ text: { text: 'said' } })
    let open = 0
    let mostOpen = 0
    const slow: VlmPageReader = {
      ...reader,
      async read(...args) {
        mostOpen = Math.max(mostOpen, ++open)
        await new Promise((resolve) => setImmediate(resolve))
        open--
        return reader.read(...args)
      },
    }
    const documents = greyDocuments()
    const released: number[] = []
    class Pictures extends PictureCache {
      override release(...[page, frame]: Parameters<PictureCache['release']>) {
        released.push(page.pageIndex)
        super.release(page, frame)
      }
    }
    const pictures = new Pictures({ documents, dpi: 200, maxPixels: 1e6, maxBytes: 1e6 })
    const stage = regionRecognitionStage({
      ...{ documents, config: config(), reader: knowingReader(new PageMaker()) },
      model: { reader: slow, pictures, finder, effort: 'auto' },
    })
    const kinds: string[] = []
    for await (const { kind } of stage.process({ id: 1, pages: makers.map((maker) => maker.page()) }, new AbortController().signal)) kinds.push(kind)
    expect({ kinds, mostOpen, released: released.length }).toEqual({ kinds: ['done', 'done'], mostOpen: 2, released: 2 })
  })
})

describe('a page that a vision-language model has laid out', () => {
  it('holds what the model says, in the order of the layout', async () => {
    const maker = new PageMaker()
    maker.verdict = 'needs-reading'
    maker.block('heading', [], modelled('title'))
    maker.block('text', [], modelled('text', { continues: true }))
    maker.block('formula', [], modelled('equation'))
    const cells = [{ row: 0, column: 0, rowSpan: 1, columnSpan: 1, header: false, text: 'a < b' }]
    maker.block('table', [], modelled('table'))
    const { reader } = saying({
      title: { text: 'On *tides*' },
      text: { text: 'so that \\(x^2\\) is # large', flags: ['cut'] },
      equation: { text: 'E = mc^2', latex: 'E = mc^2' },
      table: { text: 'a < b', table: { rows: 1, columns: 1, cells } },
    })
    const blocks = await blocksOf(maker.page(), maker, reader)
    expect(blocks.map(({ kind, text, markdown, source }) => ({ kind, text, markdown, source }))).toEqual([
      { kind: 'heading', text: 'On *tides*', markdown: 'On \\*tides\\*', source: 'vlm:tiny' },
      { kind: 'text', text: 'so that \\(x^2\\) is # large', markdown: 'so that $x^2$ is # large', source: 'vlm:tiny' },
      { kind: 'formula', text: 'E = mc^2', markdown: '$$\nE = mc^2\n$$', source: 'vlm:tiny' },
      { kind: 'table', text: 'a < b', markdown: '<table><tbody><tr><td>a &lt; b</td></tr></tbody></table>', source: 'vlm:tiny' },
    ])
    expect(blocks[1]).toMatchObject({ continues: true, flags: ['cut'] })
    expect(blocks[2]).toMatchObject({ latex: 'E = mc^2' })
  })

  it('keeps the words of a layer that agrees, and the model is not asked about them', async () => {
    const maker = new PageMaker()
    maker.block('text', [maker.line('Words that are trusted')], modelled('text', { byLayer: true }))
    maker.block('table', [maker.line('1 2')], modelled('table'))
    const { reader, asked } = saying({ table: { text: 'one two' } })
    const blocks = await blocksOf(maker.page(), maker, reader, 'high')
    expect(asked.map(({ type }) => type)).toEqual(['table'])
    expect(blocks.map(({ text, source }) => [text, source])).toEqual([
      ['Words that are trusted', 'text-layer'],
      ['one two', 'vlm:tiny'],
    ])
  })

  it('keeps them against a model that has read while it looked', async () => {
    const maker = new PageMaker()
    const content: BlockContent = { kind: 'text', text: 'W0rds', raw: 'W0rds', flags: ['cut'] }
    maker.block('text', [maker.line('Words that are trusted')], modelled('text', { byLayer: true, content }))
    const { reader } = saying({})
    const onePass: VlmPageReader = { ...reader, onePass: true, read: async (_, blocks) => blocks.map(({ box, content }, i) => ({ of: [i], box, content })) }
    const blocks = await blocksOf(maker.page(), maker, onePass, 'high')
    expect(blocks).toMatchObject([{ text: 'Words that are trusted', source: 'text-layer', flags: [] }])
  })

  it('keeps the words of a trusted layer where the model takes their block back, or makes it part of another', async () => {
    const maker = new PageMaker()
    maker.block('text', [maker.line('A stray item', 50, 100)], modelled('list'))
    maker.block('figure', [maker.line('Left', 50, 300)], modelled('image_block'))
    maker.block('figure', [maker.line('Right', 300, 300)], modelled('image'))
    const { reader } = saying({})
    const joining: VlmPageReader = { ...reader, read: async () => [{ of: [1, 2], box: [0, 0, 1, 1], content: undefined }] }
    const blocks = await blocksOf(maker.page(), maker, joining, 'high')
    expect(blocks.map(({ kind, text, source }) => [kind, text, source])).toEqual([
      ['text', 'A stray item', 'text-layer'],
      ['figure', 'Left\nRight', 'text-layer'],
    ])
  })

  it('has items of lists by the words of the layer, too', async () => {
    const maker = new PageMaker()
    maker.block('text', [maker.line('• First of all')], modelled('text', { byLayer: true }))
    const { reader } = saying({})
    const listing: VlmPageReader = {
      ...reader,
      read: async (_, [block]) => [{ of: [0], box: block?.box ?? [0, 0, 1, 1], kind: 'list_item', content: undefined }],
    }
    expect(await blocksOf(maker.page(), maker, listing, 'high')).toMatchObject([{ kind: 'list_item', marker: '•' }])
  })

  it('has the words around a table below it', async () => {
    const maker = new PageMaker()
    maker.verdict = 'needs-reading'
    maker.block('table', [], modelled('table'))
    const cells = [{ row: 0, column: 0, rowSpan: 1, columnSpan: 1, header: false, text: 'a' }]
    const { reader } = saying({ table: { text: 'a\nNote: \\(x\\) is *new*', table: { rows: 1, columns: 1, cells } } })
    expect(await blocksOf(maker.page(), maker, reader)).toMatchObject([
      { text: 'a\nNote: \\(x\\) is *new*', markdown: '<table><tbody><tr><td>a</td></tr></tbody></table>\n\nNote: $x$ is \\*new\\*' },
    ])
  })

  it('leaves out what the model takes back, and moves kinds to what it sees', async () => {
    const maker = new PageMaker()
    maker.verdict = 'needs-reading'
    maker.block('text', [], modelled('text'))
    maker.block('figure', [], modelled('image'))
    const { reader } = saying({ text: 'nothing', image: { kind: 'chart', text: '', subKind: 'bar' } })
    const blocks = await blocksOf(maker.page(), maker, reader)
    expect(blocks).toMatchObject([{ kind: 'chart', subKind: 'bar' }])
  })

  it('has blocks that the model fails on read by lines, and says so', async () => {
    const maker = new PageMaker()
    maker.verdict = 'needs-reading'
    maker.block('text', [], { ...modelled('text'), box: [0.1, 0.4, 0.9, 0.6] })
    maker.block('heading', [], modelled('title'))
    const { reader } = saying({ title: { text: 'Title' } })
    const blocks = await blocksOf(maker.page(), maker, reader)
    expect(blocks.map(({ text, source, flags }) => ({ text, source, flags }))).toEqual([
      { text: 'read by lines', source: 'ocr', flags: ['fallback'] },
      { text: 'Title', source: 'vlm:tiny', flags: [] },
    ])
  })

  it('has no writing read twice where blocks lie in one another', async () => {
    const maker = new PageMaker()
    maker.verdict = 'needs-reading'
    maker.block('text', [], { ...modelled('list'), box: [0.1, 0.4, 0.9, 0.7] })
    maker.block('text', [], { ...modelled('text'), box: [0.15, 0.45, 0.8, 0.6] })
    maker.block('text', [], { ...modelled('text'), box: [0.1, 0.4, 0.9, 0.65] })
    const { reader } = saying({})
    expect((await blocksOf(maker.page(), maker, reader)).map(({ text }) => text)).toEqual(['', 'read by lines', ''])
  })

  it('fails as a whole where the engine is away', async () => {
    const maker = new PageMaker()
    maker.block('text', [], modelled('text'))
    const { reader } = saying({ text: new PagestreamError('engine-unreachable', 'gone') })
    await expect(blocksOf(maker.page(), maker, reader)).rejects.toMatchObject({ code: 'engine-unreachable' })
  })

  it('is told of block by block, with the ids that its blocks will have', async () => {
    const maker = new PageMaker()
    maker.block('text', [], modelled('text'))
    const told: PageBlock[] = []
    const { reader } = saying({ text: { text: 'early' } })
    const blocks = await blocksOf({ ...maker.page(), tell: (block) => told.push(block) }, maker, reader)
    expect(told).toMatchObject([{ id: blocks[0]?.id, text: 'early', source: 'vlm:tiny' }])
  })
})

describe('a page that geometry has laid out', () => {
  const withFormula = () => {
    const maker = new PageMaker()
    maker.block('text', [maker.line('Some text')])
    maker.block('formula', [maker.line('E mc', 50, 140)])
    return maker
  }

  it('has its formulas read by the model, whatever the layer says', async () => {
    const maker = withFormula()
    const { reader, asked } = saying({ equation: { text: 'E=mc^2', latex: 'E=mc^2' } })
    const blocks = await blocksOf(maker.page(), maker, reader)
    expect(asked).toMatchObject([{ type: 'equation', kind: 'formula' }])
    expect(blocks).toMatchObject([{ source: 'text-layer' }, { latex: 'E=mc^2', source: 'vlm:tiny' }])
  })

  it.each([
    ['with little effort where the layer is trusted', 'low', 'auto', false],
    ['where pictures are not to be read', 'auto', 'never', false],
    ['by a model that reads whole pages', 'auto', 'auto', true],
  ] as const)('has no formula read %s', async (_, effort, ocr, onePass) => {
    const maker = withFormula()
    maker.ocr = ocr
    const { reader, asked } = saying({ equation: { latex: 'x' } }, onePass)
    await blocksOf(maker.page(), maker, reader, effort)
    expect(asked).toEqual([])
  })
})
