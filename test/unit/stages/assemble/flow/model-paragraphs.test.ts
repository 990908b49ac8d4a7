import { describe, expect, it } from 'vitest'
import type { Box } from '../../../../../src/schema/geometry.ts'
import type { PageBlock } from '../../../../../src/schema/page.ts'
import { assembled } from '../../../../support/assembled.ts'
import { modelBlock, page } from '../../../../support/page-results.ts'

const left: Box = [0.1, 0.12, 0.48, 0.4]
const right: Box = [0.52, 0.12, 0.9, 0.2]
const text = (words: string, box: Box, more: Partial<PageBlock> = {}) => modelBlock({ kind: 'text', text: words, box, ...more })
const rest = (words: string, box = right) => text(words, box, { continues: true })

const document = async (...pages: (readonly PageBlock[])[]) => (await assembled(pages.map((blocks, i) => page(i, blocks)))).document
const texts = async (...pages: (readonly PageBlock[])[]) => (await document(...pages)).blocks.filter((b) => b.kind === 'text').map((b) => b.text)

describe('a text that its model says goes on', () => {
  it('is joined to the text in the column before, its hyphen repaired', async () => {
    expect(await texts([text('Widgets come in two col-', left), rest('ors and sizes.')])).toEqual(['Widgets come in two colors and sizes.'])
    expect(await texts([text('An exam-', left), rest('ple one')])).toEqual(['An example one'])
    expect(await texts([text('A short', left), rest('half of it')])).toEqual(['A short half of it'])
  })

  it('is joined without a blank where the script has none', async () => {
    expect(await texts([text('这是', left), rest('一句话。')])).toEqual(['这是一句话。'])
  })

  it.each(['figure', 'table', 'chart', 'code', 'algorithm', 'caption', 'footnote', 'page_header'] as const)('is joined over a %s', async (kind) => {
    expect(await texts([text('The first half of', left), modelBlock({ kind, text: 'between', box: [0.1, 0.5, 0.48, 0.6] }), rest('the text')])).toEqual([
      'The first half of the text',
    ])
  })

  it.each(['heading', 'formula', 'list_item', 'reference'] as const)('is not joined over a %s, and says so', async (kind) => {
    const { blocks } = await document([text('The first half', left), modelBlock({ kind, text: 'between', box: [0.1, 0.5, 0.48, 0.6] }), rest('the text')])
    expect(blocks).toHaveLength(3)
    expect(blocks[2]).toMatchObject({ text: 'the text', continues: true })
  })

  it('does not follow an end', async () => {
    for (const end of ['.', '!', '?', '。', '！', '？', ')', '）', '"', '”', ':', '：', ';', '；']) {
      expect(await texts([text(`It ends${end}`, left), rest('and goes on')])).toHaveLength(2)
    }
  })

  it('does not begin with a capital or a figure', async () => {
    expect(await texts([text('The first half', left), rest('Another text')])).toHaveLength(2)
    expect(await texts([text('The first half', left), rest('2 of them')])).toHaveLength(2)
  })

  it('has a column at least half as wide, and less than twice', async () => {
    expect(await texts([text('The first half', [0.1, 0.12, 0.9, 0.4]), rest('of it', [0.52, 0.12, 0.9, 0.2])])).toHaveLength(2)
    expect(await texts([text('The first half', [0.1, 0.12, 0.48, 0.4]), rest('of it', [0.52, 0.12, 0.72, 0.2])])).toHaveLength(1)
  })

  it('stands beside the first half and not below it', async () => {
    expect(await texts([text('Some', [0.1, 0.12, 0.48, 0.4]), rest('words', [0.1, 0.41, 0.48, 0.6])])).toHaveLength(2)
  })

  it('is joined over the end of a page where the text before is open', async () => {
    const first = text('A text', [0.1, 0.8, 0.9, 0.95])
    const next = (words: string) => rest(words, [0.1, 0.1, 0.9, 0.2])
    expect(await texts([first], [next('that goes on')])).toEqual(['A text that goes on'])
    expect(await texts([first], [modelBlock({ kind: 'figure', box: [0.1, 0.1, 0.9, 0.3] }), next('that goes on')])).toEqual(['A text that goes on'])
    expect(await texts([text('A text.', [0.1, 0.8, 0.9, 0.95])], [next('that goes on')])).toHaveLength(2)
    expect(await texts([first], [], [next('that goes on')])).toHaveLength(2)
  })

  it('takes further texts that go on', async () => {
    const three = [text('one', [0.05, 0.1, 0.33, 0.9]), rest('two', [0.36, 0.1, 0.63, 0.9]), rest('three', [0.66, 0.1, 0.95, 0.9])]
    const { blocks } = await document(three)
    expect(blocks).toHaveLength(1)
    expect(blocks[0]).toMatchObject({ text: 'one two three', flags: ['merged'], parts: three.map(({ box }) => ({ page: 0, box })) })
  })
})

describe('a text of which no model speaks', () => {
  it('is not joined over code', async () => {
    const code = modelBlock({ kind: 'code', text: 'x = 1', box: [0.1, 0.5, 0.48, 0.6] })
    expect(await texts([text('The first half of a sentence that', left), code, text('goes on here', right)])).toHaveLength(2)
  })
})
