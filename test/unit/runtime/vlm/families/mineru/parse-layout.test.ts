import { expect, it } from 'vitest'
import { mostBlocks, parseLayout } from '../../../../../../src/runtime/vlm/families/mineru/parse-layout.ts'
import { PagestreamError } from '../../../../../../src/schema/failure.ts'

const element = (box: string, label: string, tail = '<|rotate_up|>'): string => `<|box_start|>${box}<|box_end|><|ref_start|>${label}<|ref_end|>${tail}\n`
const known = element('000 000 010 010', 'footer')
/** What an element becomes, beside one that is sound. */
const blockOf = (text: string) => parseLayout(known + text).blocks[1]

it('an element is a block with its kind, its box in fractions and its turn', () => {
  expect(parseLayout(element('080 020 920 040', 'header'))).toEqual({
    blocks: [{ type: 'header', kind: 'page_header', box: [0.08, 0.02, 0.92, 0.04], angle: 0, flags: [] }],
    dropped: 0,
  })
})

it.each([
  ['<|rotate_up|>', 0],
  ['<|rotate_right|>', 90],
  ['<|rotate_down|>', 180],
  ['<|rotate_left|>', 270],
  ['', 0],
  [' <|rotate_right|>', 0],
  ['<|rotate_over|>', 0],
])('the tail %j turns it by %i', (tail, angle) => {
  expect(blockOf(element('1 2 3 4', 'text', tail))?.angle).toBe(angle)
})

it.each([
  ['100 100 200 1001', 'text', 'a coordinate over 1000'],
  ['100 100 100 200', 'text', 'no width'],
  ['100 100 200 100', 'text', 'no height'],
  ['100 100 200', 'text', 'three numbers'],
  ['100 1.5 200 300', 'text', 'a fraction'],
  ['-1 100 200 300', 'text', 'a sign'],
  ['100 100 200 300', 'inline_formula', 'a formula within text'],
  ['100 100 200 300', 'seal', 'a label of another family'],
  ['100 100 200 300', 'foo', 'an unknown label'],
  ['100 100 200 300', 'a b', 'no label'],
])('%s %s is dropped: %s', (box, label) => {
  expect(parseLayout(known + element(box, label))).toMatchObject({ blocks: [{ type: 'footer' }], dropped: 1 })
})

it('corners in the wrong order are put right', () => {
  expect(blockOf(element('300 400 100 200', 'text'))?.box).toEqual([0.1, 0.2, 0.3, 0.4])
})

it('labels are read in any case, and what is unknown to the model is a picture', () => {
  expect(blockOf(element('1 2 3 4', 'Table_Caption'))).toMatchObject({ type: 'table_caption', kind: 'caption' })
  expect(blockOf(element('1 2 3 4', 'unknown'))).toMatchObject({ type: 'image', kind: 'figure' })
})

it('a text goes on from the one before where its tail says so, and nothing else does', () => {
  expect(blockOf(element('1 2 3 4', 'text', '<|rotate_up|>txt_contd_tgt'))?.continues).toBe(true)
  expect(blockOf(element('1 2 3 4', 'text', ' any <x> txt_contd_tgt'))?.continues).toBe(true)
  expect(blockOf(element('1 2 3 4', 'title', '<|rotate_up|>txt_contd_tgt'))?.continues).toBeUndefined()
  expect(parseLayout(`${known}txt_contd_tgt${element('1 2 3 4', 'text')}`).blocks[1]?.continues).toBeUndefined()
})

it('what forms no element is passed over, also a last one that breaks off', () => {
  const answer = `junk${element('1 2 3 4', 'text')}more junk <|box_start|>5 6 <|box_start|>5\n6  7\t8<|box_end|><|ref_start|>title<|ref_end|><|box_start|>9 9 9`
  const { blocks, dropped } = parseLayout(answer)
  expect(blocks.map(({ type }) => type)).toEqual(['text', 'title'])
  expect(dropped).toBe(2)
})

it('an empty answer is an empty page; one without a block is no answer', () => {
  for (const answer of ['', ' \n', '<|im_end|>']) expect(parseLayout(answer)).toEqual({ blocks: [], dropped: 0 })
  for (const answer of ['I see a page.', '080 020 920 040header', element('1 2 3 2000', 'text')]) {
    expect(() => parseLayout(answer)).toThrow(expect.objectContaining({ code: 'answer-invalid' }))
    expect(() => parseLayout(answer)).toThrow(PagestreamError)
  }
})

it('text and formulas within a table are part of it, titles are not', () => {
  const table = element('100 100 900 900', 'table')
  const types = (box: string, label: string): string[] => parseLayout(table + element(box, label)).blocks.map(({ type }) => type)
  for (const label of ['text', 'equation', 'equation_block']) expect(types('200 200 300 300', label)).toEqual(['table'])
  expect(types('200 200 300 300', 'title')).toEqual(['table', 'title'])
  expect(types('000 200 200 300', 'text')).toEqual(['table', 'text'])
  expect(types('095 200 195 300', 'text')).toEqual(['table'])
})

it('duplicates are kept', () => {
  expect(parseLayout(element('1 2 3 4', 'text').repeat(3)).blocks).toHaveLength(3)
})

it('of ten thousand elements a thousand are kept, and the last of them says so', () => {
  const { blocks, dropped } = parseLayout(element('1 2 3 4', 'text').repeat(10_000))
  expect(blocks).toHaveLength(mostBlocks)
  expect(dropped).toBe(9000)
  expect(blocks.filter(({ flags }) => flags.includes('cut'))).toEqual([blocks.at(-1)])
  expect(parseLayout(element('1 2 3 4', 'text').repeat(mostBlocks)).blocks.at(-1)?.flags).toEqual([])
})
