import { expect, it } from 'vitest'
import { finishPage } from '../../../../../../src/runtime/vlm/families/mineru/finish-page.ts'
import { planAsks } from '../../../../../../src/runtime/vlm/families/mineru/page-plan.ts'
import type { BlockAnswer } from '../../../../../../src/runtime/vlm/family.ts'
import type { FoundBlock } from '../../../../../../src/runtime/vlm/page-reader.ts'
import { found } from './found.ts'

const options = { imageAnalysis: true }
const finish = (blocks: FoundBlock[], answers: Record<number, string>, chosen = options) =>
  finishPage(blocks, new Map<number, BlockAnswer>(Object.entries(answers).map(([at, text]) => [Number(at), { text, finish: 'stop' }])), chosen)

it('each block is read by its answer, in the order of the page; one without an answer has no content', () => {
  const readings = finish([found('title', [0, 0, 1, 0.1]), found('text', [0, 0.1, 1, 0.2]), found('image', [0, 0.2, 0.05, 0.25])], { 0: 'One' })
  expect(readings).toMatchObject([
    { of: [0], box: [0, 0, 1, 0.1], content: { kind: 'heading', text: 'One' } },
    { of: [1], content: undefined },
    { of: [2], content: undefined },
  ])
})

it.each(['header', 'footer', 'table', 'equation', 'image', 'chart', 'list'])('a %s without text keeps its place', (type) => {
  expect(finish([found(type, [0, 0, 1, 1])], { 0: '[Non-Text]' })).toMatchObject([{ of: [0], content: { text: '' } }])
})

it.each(['text', 'title', 'list_item', 'page_number', 'image_caption', 'code'])('a %s without text is no block', (type) => {
  expect(finish([found(type, [0, 0, 1, 1])], { 0: ' [Non-Text]\n' })).toEqual([])
})

const block = found('equation_block', [0, 0, 1, 0.4])
const [first, second] = [found('equation', [0.1, 0, 0.9, 0.2]), found('equation', [0.1, 0.2, 0.9, 0.4])]

it('formulas in one container become one, in its box', () => {
  const readings = finish([block, first, second], { 1: '\\[ a=1 \\tag{1} \\]', 2: '\\[ b=2 \\tag{2} \\]' })
  expect(readings).toEqual([
    {
      of: [0, 1, 2],
      box: block.box,
      content: {
        kind: 'formula',
        text: '\\begin{array}{l} a=1 (1) \\\\ b=2 (2) \\\\ \\end{array}',
        latex: '\\begin{array}{l} a=1 (1) \\\\ b=2 (2) \\\\ \\end{array}',
        raw: '\\[ a=1 \\tag{1} \\]\n\\[ b=2 \\tag{2} \\]',
        flags: [],
      },
    },
  ])
})

it('a container of one formula gives way to it', () => {
  expect(finish([block, first], { 1: 'a' })).toMatchObject([{ of: [1], content: { latex: 'a' } }])
})

it('formulas stay apart where one of them was not read', () => {
  expect(finish([block, first, second], { 2: 'b' })).toMatchObject([
    { of: [1], content: undefined },
    { of: [2], content: { latex: 'b' } },
  ])
})

it('a container without formulas is read itself', () => {
  expect(finish([block], { 0: '\\[ a \\]' })).toMatchObject([{ of: [0], content: { kind: 'formula', latex: 'a' } }])
})

it('a list gives way to its items, and is read itself where it has none', () => {
  const list = found('list', [0, 0, 1, 0.4])
  const items = [found('text', [0, 0, 1, 0.1]), found('ref_text', [0, 0.1, 1, 0.2]), found('list_item', [0, 0.2, 1, 0.3])]
  const readings = finish([list, ...items, found('text', [0, 0.5, 1, 0.6])], { 1: 'a', 2: 'b', 3: 'c', 4: 'd' })
  expect(readings.map(({ content }) => content?.kind)).toEqual(['list_item', 'reference', 'list_item', 'text'])
  expect(finish([list], { 0: 'a\nb' })).toMatchObject([{ of: [0], content: { kind: 'text', text: 'a\nb' } }])
})

it('a text in a list is an item, whoever reads it', () => {
  const readings = finish([found('list', [0, 0, 1, 0.4]), found('text', [0, 0, 1, 0.1]), found('text', [0, 0.5, 1, 0.6])], {})
  expect(readings.map(({ of, kind }) => [of[0], kind])).toEqual([
    [1, 'list_item'],
    [2, undefined],
  ])
})

it('formulas that lie in two containers stand once', () => {
  const around = found('equation_block', [0, 0, 1, 0.45])
  const readings = finish([block, around, first, second], { 1: 'a \\\\ b', 2: 'a', 3: 'b' })
  expect(readings).toMatchObject([{ of: [0, 2, 3], content: { kind: 'formula' } }])
  expect([...planAsks([block, around, first, second], options).keys()]).toEqual([2, 3])
})

it('parts of a figure are part of it', () => {
  expect(finish([found('image_block', [0, 0, 1, 0.5]), found('image', [0, 0, 0.5, 0.5]), found('chart', [0.5, 0, 1, 0.5])], {})).toEqual([
    { of: [0, 1, 2], box: [0, 0, 1, 0.5], content: undefined },
  ])
})

it('a caption within a picture is gone only where the picture was described', () => {
  const blocks = [found('image', [0, 0, 1, 0.5]), found('image_caption', [0.1, 0.4, 0.9, 0.45])]
  expect(finish(blocks, { 1: 'Figure 1' }, { imageAnalysis: false })).toMatchObject([{ of: [0] }, { of: [1], content: { kind: 'caption', text: 'Figure 1' } }])
  expect(finish(blocks, { 0: '' })).toMatchObject([{ of: [0] }])
})

it('a picture in a table stays a block, whether its token came back or not', () => {
  const blocks = [found('table', [0, 0, 1, 0.5]), found('image', [0.1, 0.1, 0.2, 0.2]), found('image', [0.5, 0.1, 0.6, 0.2])]
  const token = planAsks(blocks, options).get(0)?.crop.masks?.[0]?.token
  const [table, ...pictures] = finish(blocks, { 0: `<fcel>a<fcel>[${token}] b<nl>` })
  expect(table?.content?.table?.cells.map(({ text }) => text)).toEqual(['a', 'b'])
  expect(pictures).toEqual([
    { of: [1], box: [0.1, 0.1, 0.2, 0.2], content: undefined },
    { of: [2], box: [0.5, 0.1, 0.6, 0.2], content: undefined },
  ])
})
