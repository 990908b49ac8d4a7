import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { teleOcr } from '../../../../../../src/runtime/vlm/families/teleocr/teleocr.ts'
import type { BlockAnswer } from '../../../../../../src/runtime/vlm/family.ts'
import type { FoundBlock } from '../../../../../../src/runtime/vlm/page-reader.ts'
import { expectTiled } from '../../../../../support/expect-tiled.ts'

const options = { imageAnalysis: false }
const layout = (...lines: string[]): FoundBlock[] => teleOcr.parseLayout(lines.join('\n')).blocks
const line = (label: string, box = '100 100 900 200', direction = 'up'): string => `<box:${box}><label:${label}><${direction}>`

/** What becomes of one block of this type with this answer. */
function read(label: string, text: string, finish: BlockAnswer['finish'] = 'stop') {
  const [reading] = teleOcr.finishPage(layout(line(label)), new Map([[0, { text, finish }]]), options)
  return reading?.content
}

describe('the layout of TeleOCR', () => {
  it('reads boxes, names in any case and directions, in reading order', () => {
    expect(
      layout(
        line('Title', '035 010 1000 060'),
        line('table', '35 70 900 500', 'rotate_right'),
        line('text', '1 2 3 4', 'down'),
        line('TEXT', '1 2 3 5', 'left'),
      ),
    ).toEqual([
      { type: 'title', kind: 'heading', box: [0.035, 0.01, 0.999, 0.06], angle: 0, flags: [] },
      { type: 'table', kind: 'table', box: [0.035, 0.07, 0.9, 0.5], angle: 90, flags: [] },
      { type: 'text', kind: 'text', box: [0.001, 0.002, 0.003, 0.004], angle: 180, flags: [] },
      { type: 'text', kind: 'text', box: [0.001, 0.002, 0.003, 0.005], angle: 270, flags: [] },
    ])
  })

  it('reads polygons, with the box around them', () => {
    expect(layout(line('text', '100 110 500 90 510 300 90 310'))).toEqual([
      { type: 'text', kind: 'text', box: [0.09, 0.09, 0.51, 0.31], angle: 0, polygon: [0.1, 0.11, 0.5, 0.09, 0.51, 0.3, 0.09, 0.31], flags: [] },
    ])
  })

  it('turns boxes round', () => {
    expect(layout(line('text', '900 200 100 100'))[0]?.box).toEqual([0.1, 0.1, 0.9, 0.2])
  })

  it.each([
    ['a name that the model does not have', line('foo')],
    ['three numbers', line('text', '1 2 3')],
    ['an odd count of numbers', line('text', '1 2 3 4 5')],
    ['a number beyond the page', line('text', '1 2 3 1001')],
    ['a negative number', line('text', '-1 2 3 4')],
    ['a fraction', line('text', '1.5 2 3 4')],
    ['no area', line('text', '5 5 5 9')],
    ['no direction', '<box:1 2 3 4><label:text>'],
    ['words around it', `x ${line('text')}`],
    ['half a line', '<box:1 2 3 4><lab'],
    ['a line that was there before', line('title', '1 1 9 9')],
  ])('drops and counts %s', (_, bad) => {
    const { blocks, dropped } = teleOcr.parseLayout(`${line('title', '1 1 9 9')}\n${bad}\n\n${line('text', '10 10 20 20')}\n`)
    expect([blocks.length, dropped]).toEqual([2, 1])
  })

  it('refuses an answer that has words and no block, and takes an empty one for an empty page', () => {
    expect(() => teleOcr.parseLayout('I am sorry.')).toThrow(expect.objectContaining({ code: 'answer-invalid' }))
    expect(teleOcr.parseLayout(' \n<|im_end|>')).toEqual({ blocks: [], dropped: 0 })
  })

  it('leaves out the end token', () => {
    expect(layout(`${line('text')}<|im_end|>`)).toHaveLength(1)
  })
})

describe('the questions of TeleOCR', () => {
  it('begin with a line break and are to the letter', () => {
    expect(teleOcr.layoutAsk).toMatchObject({ system: 'You are a helpful assistant.', prompt: '\nAnalyze the image layout.', maxTokens: 4096 })
    const types = ['text', 'title', 'algorithm', 'table', 'equation', 'code', 'char', 'seal']
    const asks = teleOcr.planAsks(layout(...types.map((type, i) => line(type, `1 ${i} 500 999`))), options)
    const text = '\nPlease output the text content from the image.'
    expect([...asks.values()].map(({ ask }) => ask.prompt)).toEqual([
      text,
      text,
      text,
      '\nThis is the image of a table. Please output the table in OTSL format.',
      '\nPlease write out the expression of the formula in the image using LaTeX format.',
      '\nThe image contains a code snippet, please output the parsing result.',
      '\nThis is a scientific figure. Please extract the table implied by this figure.',
      '\nSeal Recognition:',
    ])
  })

  it('are greedy, with the penalties of their task and a repetition penalty of 1', () => {
    const penalties = (label: string) => {
      const decoding = teleOcr.planAsks(layout(line(label)), options).get(0)?.ask.decoding
      return [decoding?.presencePenalty, decoding?.frequencyPenalty]
    }
    expect(teleOcr.layoutAsk.decoding).toEqual({
      temperature: 0,
      topP: 0.01,
      topK: 1,
      repetitionPenalty: 1,
      presencePenalty: 0,
      frequencyPenalty: 0,
      noRepeat: { tokens: 100 },
    })
    for (const label of ['text', 'equation', 'code', 'title']) expect(penalties(label)).toEqual([1, 0.05])
    for (const label of ['table', 'char', 'seal']) expect(penalties(label)).toEqual([1, 0.005])
  })

  it('are not asked about pictures and what only holds other blocks', () => {
    const blocks = layout(
      line('image', '0 0 500 100'),
      line('list', '0 100 500 300'),
      line('text', '10 110 490 200'),
      line('equation_block', '0 300 500 400'),
      line('equation', '10 310 490 390'),
      line('unknown', '0 500 10 510'),
    )
    expect([...teleOcr.planAsks(blocks, options).keys()]).toEqual([2, 4, 5])
  })

  it('are asked about a list or a group of formulas that holds nothing, so that it is not lost', () => {
    const asks = teleOcr.planAsks(layout(line('list', '0 100 500 300'), line('equation_block', '0 300 500 400')), options)
    expect([...asks.values()].map(({ ask }) => ask.task)).toEqual(['text', 'equation'])
  })

  it('cut the page at whole pixels, polygons too, and bound the crop', () => {
    const crop = teleOcr.planAsks(layout(line('text', '100 110 500 90 510 300 90 310', 'right')), options).get(0)?.crop
    expect(crop).toEqual({
      box: [0.09, 0.09, 0.51, 0.31],
      rounding: 'truncate',
      angle: 90,
      polygon: [0.1, 0.11, 0.5, 0.09, 0.51, 0.3, 0.09, 0.31],
      mostRatio: 50,
      leastSide: 28,
      mostPixels: 3_211_264,
    })
  })
})

describe('the answers of TeleOCR', () => {
  it('are tables in OTSL, with formulas in cells', () => {
    const content = read('table', '<fcel>Head<lcel><nl><fcel>$x_1$<fcel>b<nl><|im_end|>')
    expect(content).toMatchObject({ kind: 'table', text: 'Head\n\\( x_1 \\)\tb', flags: [] })
    expect(content?.table).toMatchObject({ rows: 2, columns: 2 })
  })

  it('are tables in HTML, or text where they are neither', () => {
    expect(read('table', '<html><body><table><thead><tr><td>a</td></tr></thead></table></body></html>')?.table).toMatchObject({ rows: 1, columns: 1 })
    expect(read('table', 'no table')).toEqual({ kind: 'table', text: 'no table', raw: 'no table', flags: [] })
  })

  it('are formulas without delimiters, mended, with their number as a tag', () => {
    expect(read('equation', '\\[ \\begin{cases} α \\quad (3) \\]')?.latex).toBe('\\begin{cases} \\alpha \\tag{3} \\end{cases}')
    expect(read('equation', '\\left( a + b} ')?.latex).toBe('\\left( \\right. a + b')
    expect(read('equation', '$$ a = b $$')).toMatchObject({ kind: 'formula', text: 'a = b', latex: 'a = b' })
  })

  it('are text with its formulas in brackets', () => {
    expect(read('text', 'Let $$x$$ be $y$ .<|im_end|>')?.text).toBe('Let \\( x \\) be \\( y \\) .')
  })

  it('are code without fence, with its language', () => {
    expect(read('code', '```Python\n  x = 1\n```')).toMatchObject({ text: '  x = 1', language: 'python' })
    expect(read('code', '<_C++_>int x;')).toMatchObject({ text: 'int x;', language: 'c++' })
    expect(read('algorithm', '\n  while x\n    y')?.text).toBe('  while x\n    y')
  })

  it('are titles on one line', () => {
    expect(read('title', 'A\n  title')).toMatchObject({ kind: 'heading', text: 'A title' })
  })

  it('are data of figures where there are cells, and noise where there is next to nothing', () => {
    expect(read('char', '<fcel>2024<fcel>7<nl>')?.table).toMatchObject({ rows: 1, columns: 2 })
    expect(read('char', 'abcde')?.text).toBe('')
    expect(read('char', 'A longer text')?.text).toBe('A longer text')
  })

  it('are flagged where they were cut, and where words stand outside the cells', () => {
    expect(read('text', 'half', 'length')?.flags).toEqual(['cut'])
    expect(read('table', '<fcel>a<nl><fce', 'stopped')).toMatchObject({ text: 'a', flags: ['cut'] })
    expect(read('table', 'words <fcel>a<nl>')?.flags).toEqual(['lost-text'])
  })

  it('keep a block without an answer as one that was not read', () => {
    expect(teleOcr.finishPage(layout(line('text'), line('image', '1 1 5 5')), new Map(), options)).toEqual([
      { of: [0], box: [0.1, 0.1, 0.9, 0.2], content: undefined },
      { of: [1], box: [0.001, 0.001, 0.005, 0.005], content: undefined },
    ])
  })

  it('make items of the texts in a list, and drop what only holds others', () => {
    const blocks = layout(line('list', '0 100 500 300'), line('text', '10 110 490 200'), line('text', '10 600 490 700'))
    const answers = new Map([1, 2].map((index) => [index, { text: 'x', finish: 'stop' as const }]))
    expect(teleOcr.finishPage(blocks, answers, options).map(({ of, content }) => [of[0], content?.kind])).toEqual([
      [1, 'list_item'],
      [2, 'text'],
    ])
    expect(teleOcr.finishPage(blocks, new Map(), options).map(({ kind }) => kind)).toEqual(['list_item', undefined])
  })
})

const part = fc.oneof(
  fc.constantFrom(
    '<box:',
    '><label:',
    'text',
    'table',
    'equation',
    'list',
    'char',
    'code',
    'equation_block',
    '><',
    'up>',
    'left>',
    '\n',
    ' ',
    '<|im_end|>',
    '>',
    '<',
  ),
  fc.integer({ min: -10, max: 1010 }).map(String),
  fc
    .tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000), fc.nat(1000), fc.constantFrom('text', 'table', 'equation', 'list', 'char', 'code', 'equation_block'))
    .map(([a, b, c, d, label]) => `\n${line(label, `${a} ${b} ${c} ${d}`)}\n`),
  fc.string({ maxLength: 5, unit: 'binary' }),
)
const word = fc.oneof(
  fc.constantFrom(
    '<fcel>',
    '<ecel>',
    '<lcel>',
    '<ucel>',
    '<xcel>',
    '<nl>',
    '<table>',
    '<td>',
    '$',
    '$$',
    '\\(',
    '\\)',
    '\\[',
    '\\]',
    '```',
    '<_X_>',
    '\\begin{a}',
    '\\end{a}',
    '(3)',
  ),
  fc.string({ maxLength: 5, unit: 'binary' }),
)

describe('any answers', () => {
  it('are read without throwing, into boxes on the page and tables that tile their grid', () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 40 }),
        fc.array(word, { maxLength: 25 }),
        fc.constantFrom('stop', 'length', 'stopped'),
        (parts, words, finish) => {
          let blocks: FoundBlock[] = []
          try {
            blocks = teleOcr.parseLayout(parts.join('')).blocks
          } catch (error) {
            expect(error).toMatchObject({ code: 'answer-invalid' })
          }
          for (const { box } of blocks) expect(box[0] >= 0 && box[0] < box[2] && box[2] < 1 && box[1] >= 0 && box[1] < box[3] && box[3] < 1).toBe(true)
          const asks = teleOcr.planAsks(blocks, options)
          const text = words.join('')
          const readings = teleOcr.finishPage(blocks, new Map([...asks.keys()].map((index) => [index, { text, finish }])), options)
          for (const { content } of readings) if (content?.table) expectTiled(content.table)
        },
      ),
      { numRuns: 10_000 },
    )
  })
})
