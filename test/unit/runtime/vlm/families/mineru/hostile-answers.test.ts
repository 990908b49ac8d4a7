import fc from 'fast-check'
import { expect, it } from 'vitest'
import { longestAnswer } from '../../../../../../src/runtime/vlm/families/answer-text.ts'
import { readBlock } from '../../../../../../src/runtime/vlm/families/mineru/block-reading.ts'
import type { BlockTask } from '../../../../../../src/runtime/vlm/families/mineru/block-types.ts'
import { finishPage } from '../../../../../../src/runtime/vlm/families/mineru/finish-page.ts'
import { planAsks } from '../../../../../../src/runtime/vlm/families/mineru/page-plan.ts'
import { mostBlocks, parseLayout } from '../../../../../../src/runtime/vlm/families/mineru/parse-layout.ts'
import { printedContent } from '../../../../../../src/runtime/vlm/families/mineru/printed-content.ts'
import type { BlockAnswer } from '../../../../../../src/runtime/vlm/family.ts'
import type { FoundBlock } from '../../../../../../src/runtime/vlm/page-reader.ts'
import { PagestreamError } from '../../../../../../src/schema/failure.ts'
import type { Box } from '../../../../../../src/schema/geometry.ts'
import { found } from './found.ts'

/** What the grammars are made of, whole and in halves, and what breaks readers of text. */
const pieces = [
  ...['<|box_start|>', '<|box_end|>', '<|ref_start|>', '<|ref_end|>', '<|rotate_left|>', '<|box_', '080 020 920 040', '1 2 3 4', '999999999999999999', '-1'],
  ...['<|box_start|>100 100 900 900<|box_end|><|ref_start|>table<|ref_end|>', '<|box_start|>200 200 300 300<|box_end|><|ref_start|>image<|ref_end|>'],
  ...['text', 'table', 'equation_block', 'txt_contd_tgt', 'inline_formula', '[Non-Text]', '<|im_end|>'],
  ...['<fcel>', '<ecel>', '<lcel>', '<ucel>', '<xcel>', '<nl>', '<fce', '<table>', '</table>', '<td colspan=9999 rowspan=0>', '<script>', '<eq>', '</eq>'],
  ...[
    '\\[',
    '\\]',
    '\\(',
    '\\)',
    '\\left(',
    '\\right]',
    '\\begin{array}{l}',
    '\\end{array}',
    '\\tag{1}',
    '_{a}',
    '___',
    '{',
    '}',
    '&',
    '\\\\',
    '\\',
    '\\big{(}',
  ],
  ...['<|class_start|>', 'chart', 'flowchart', 'pure_table', 'pure_formula', '<|class_end|>', '<|content_start|>', '<|content_end|>', '<|caption_start|>'],
  ...['| a | b |\n', '|---|---|\n', '|', '```', '```mermaid\n', 'graph TD\n', 'A --> B\n', 'A[', '["', '"]', ']', '-->', 'subgraph 1) x\n', ';'],
  ...['\n', ' ', '\t', '\0', '\ud800', '\udc00', '\u2028', '😀', 'e\u0301', '﷽', 'a', 'word '],
]
const hostile = fc
  .array(
    fc.tuple(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...pieces) }, fc.string({ unit: 'binary', maxLength: 6 })), fc.constantFrom(1, 1, 1, 2, 9)),
    {
      maxLength: 40,
    },
  )
  .map((parts) => parts.map(([piece, times]) => piece.repeat(times)).join(''))
const tasks: BlockTask[] = ['text', 'table', 'equation', 'picture']

/** Throws where anything but a bounded content comes out. */
function expectBounded(answer: string, finish: BlockAnswer['finish']): void {
  for (const task of tasks) {
    for (const kind of task === 'text' ? (['text', 'heading', 'code'] as const) : (['figure'] as const)) {
      const content = readBlock(kind, task, { text: answer, finish })
      expect(content.raw.length).toBeLessThanOrEqual(longestAnswer)
      expect(content.text.length).toBeLessThanOrEqual(8 * Math.min(answer.length, longestAnswer) + 100)
      expect(/\p{Surrogate}/u.test(content.text)).toBe(false)
      if (content.table) expect(content.table.rows * content.table.columns).toBeLessThanOrEqual(65_536)
    }
  }
}

it('ten thousand hostile answers are read or refused, never anything else', () => {
  fc.assert(
    fc.property(hostile, fc.constantFrom('stop', 'length', 'stopped'), (answer, finish) => {
      expectBounded(answer, finish)
      for (const type of ['table', 'equation', 'image', 'text']) expect(typeof printedContent(type, answer).content).toBe('string')
      try {
        expect(parseLayout(answer).blocks.length).toBeLessThanOrEqual(mostBlocks)
      } catch (error) {
        expect(error).toBeInstanceOf(PagestreamError)
      }
    }),
    { numRuns: 10_000 },
  )
}, 120_000)

it('a piece over and over is read in a walk', () => {
  for (const piece of pieces) {
    const answer = piece.repeat(Math.ceil(longestAnswer / piece.length))
    expectBounded(answer, 'length')
    expectBounded(`<|class_start|>flowchart<|class_end|><|content_start|>${answer}`, 'length')
    expectBounded(`<|class_start|>chart<|class_end|><|content_start|>${answer}`, 'length')
    expect(() => parseLayout(`<|box_start|>1 2 3 4<|box_end|><|ref_start|>text<|ref_end|>${answer}`)).not.toThrow()
  }
}, 120_000)

const types = [
  'text',
  'title',
  'list',
  'list_item',
  'ref_text',
  'equation',
  'equation_block',
  'table',
  'image',
  'chart',
  'image_block',
  'image_caption',
  'code',
  'odd',
]
const thousandth = fc.integer({ min: 0, max: 1000 }).map((value) => value / 1000)
const anyBox = fc
  .tuple(thousandth, thousandth, thousandth, thousandth)
  .map(([ax, ay, bx, by]): Box => [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)])
const anyPage = fc.array(
  fc.tuple(fc.constantFrom(...types), anyBox).map(([type, box]): FoundBlock => found(type, box)),
  { maxLength: 30 },
)

it('any page with any answers is finished: no block comes twice, and what was read is there', () => {
  fc.assert(
    fc.property(anyPage, fc.array(hostile, { maxLength: 30 }), fc.boolean(), (blocks, texts, imageAnalysis) => {
      const answers = new Map(texts.map((text, at): [number, BlockAnswer] => [at, { text, finish: 'stop' }]))
      const readings = finishPage(blocks, answers, { imageAnalysis })
      const first = readings.map(({ of }) => of[0])
      expect(first).toEqual([...first].sort((a = 0, b = 0) => a - b))
      expect(new Set(first).size).toBe(first.length)
      const seen = new Set(readings.flatMap(({ of }) => of))
      for (const at of planAsks(blocks, { imageAnalysis }).keys()) expect(seen.has(at) || answers.get(at)?.text.trim() === '[Non-Text]').toBe(true)
    }),
    { numRuns: 1000 },
  )
}, 120_000)

it('a page of a thousand blocks in one another is planned and finished', () => {
  const blocks = Array.from({ length: mostBlocks }, (_, at) => found(types[at % types.length] ?? '', [0, 0, 1, 1]))
  const answers = new Map(blocks.map((_, at): [number, BlockAnswer] => [at, { text: '\\[ a \\]', finish: 'stop' }]))
  expect(finishPage(blocks, answers, { imageAnalysis: true }).length).toBeLessThanOrEqual(mostBlocks)
})
