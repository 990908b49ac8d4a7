import { expect, it } from 'vitest'
import { longestAnswer } from '../../../../../../src/runtime/vlm/families/answer-text.ts'
import { readBlock } from '../../../../../../src/runtime/vlm/families/mineru/block-reading.ts'

const stop = (text: string) => ({ text, finish: 'stop' as const })

it('prose has its formulas inline, and brackets around numbers are brackets', () => {
  expect(readBlock('text', 'text', stop(' see \\[ x^2 \\] and \\[12, 14\\] '))).toEqual({
    kind: 'text',
    text: 'see \\( x^2 \\) and [12, 14]',
    raw: ' see \\[ x^2 \\] and \\[12, 14\\] ',
    flags: [],
  })
})

it('a heading is one line', () => {
  expect(readBlock('heading', 'text', stop('A title\n of two lines')).text).toBe('A title of two lines')
})

it('an end token is no text, but only at the very end', () => {
  expect(readBlock('text', 'text', stop('a<|im_end|>')).text).toBe('a')
  expect(readBlock('text', 'text', stop('a<|im_end|> ')).text).toBe('a<|im_end|>')
})

it.each(['length', 'stopped'] as const)('an answer that ended by %s is flagged', (finish) => {
  expect(readBlock('text', 'text', { text: 'so far', finish })).toMatchObject({ text: 'so far', flags: ['cut'] })
})

it('more than an answer can be is cut off and flagged', () => {
  const content = readBlock('text', 'text', stop('a'.repeat(longestAnswer + 1)))
  expect(content.raw).toHaveLength(longestAnswer)
  expect(content.flags).toEqual(['cut'])
})

it('half of a surrogate pair becomes a replacement character', () => {
  expect(readBlock('text', 'text', stop('a\ud800b'))).toMatchObject({ text: 'a\ufffdb', raw: 'a\ufffdb' })
})

it('a formula is LaTeX without brackets', () => {
  expect(readBlock('formula', 'equation', stop('\\[ a < b \\]'))).toMatchObject({ kind: 'formula', text: 'a < b', latex: 'a < b', raw: '\\[ a < b \\]' })
})

it('a table is a grid, its text a line for each row', () => {
  const content = readBlock('table', 'table', stop('<fcel>a<fcel>\\[ x \\]<nl><fcel>b<ecel><nl>'))
  expect(content).toMatchObject({ kind: 'table', text: 'a\t\\( x \\)\nb', table: { rows: 2, columns: 2 }, flags: [] })
})

it('a table in HTML is read, and nothing of its markup is handed on', () => {
  const content = readBlock('table', 'table', stop('<table><tr><td colspan="2" onclick="x()"><eq>x&lt;1</eq><script>y()</script></td></tr></table>'))
  expect(content.table?.cells.map(({ text }) => text)).toEqual(['\\( x<1 \\)'])
})

it('words that are in no cell are told, and so is a table that broke off', () => {
  expect(readBlock('table', 'table', stop('note<fcel>a<nl>')).flags).toEqual(['lost-text'])
  expect(readBlock('table', 'table', { text: '<fcel>a<nl><fcel>b<fc', finish: 'length' })).toMatchObject({ text: 'a\nb', flags: ['cut'] })
})

it('what should be a table and is none is kept as text', () => {
  expect(readBlock('table', 'table', stop('just words'))).toMatchObject({ kind: 'table', text: 'just words', flags: ['low-confidence'] })
  expect(readBlock('table', 'table', stop(''))).toEqual({ kind: 'table', text: '', raw: '', flags: [] })
})

it('tokens of masked pictures leave the cells', () => {
  expect(readBlock('table', 'table', stop('<fcel>[ACDG]<fcel>a [ ACDG ] b<fcel>[ACDH]<nl>'), new Set(['ACDG'])).table?.cells.map(({ text }) => text)).toEqual([
    '',
    'a  b',
    '[ACDH]',
  ])
})

it('code has no fence, and its language where the fence names it', () => {
  expect(readBlock('code', 'text', stop('```Python\n  a = 1\n\n  b = 2\n```\n'))).toMatchObject({
    kind: 'code',
    text: '  a = 1\n\n  b = 2',
    language: 'python',
  })
  expect(readBlock('code', 'text', stop('a = \\[1\\]'))).toEqual({ kind: 'code', text: 'a = \\[1\\]', raw: 'a = \\[1\\]', flags: [] })
})

it('code with formulas in it is pseudo-code', () => {
  expect(readBlock('code', 'text', stop('for \\(i<n\\) do')).kind).toBe('algorithm')
})

const picture = (pictureClass: string, content: string): string => `<|class_start|>${pictureClass}<|class_end|><|content_start|>${content}<|content_end|>`

it('a picture becomes what it shows', () => {
  const read = (pictureClass: string, content: string) => readBlock('figure', 'picture', stop(picture(pictureClass, content)))
  expect(read('pure_table', '<fcel>a<nl>')).toMatchObject({ kind: 'table', text: 'a', table: { rows: 1 } })
  expect(read('pure_table', '| a | b |\n|---|---|\n| 1 | 2 |')).toMatchObject({ kind: 'table', text: 'a\tb\n1\t2' })
  expect(read('pure_formula', '\\[ a_{b}_{c} \\]')).toMatchObject({ kind: 'formula', latex: 'a_{b}{}_{c}' })
  expect(read('flowchart', 'graph TD\nA -> B')).toMatchObject({ kind: 'figure', subKind: 'flowchart', language: 'mermaid', text: 'graph TD\nA --> B' })
  expect(read('logo', 'ACME')).toMatchObject({ kind: 'figure', subKind: 'logo', text: 'ACME' })
  expect(read('chart', '| a | b |\n|---|---|\n| 1 | 2 |')).toMatchObject({ kind: 'chart', text: 'a\tb\n1\t2', table: { rows: 2, columns: 2 } })
  expect(read('chart', 'rising')).toMatchObject({ kind: 'chart', text: 'rising' })
})

it('nothing to read is an empty text', () => {
  expect(readBlock('formula', 'equation', stop(' [Non-Text] '))).toEqual({ kind: 'formula', text: '', raw: ' [Non-Text] ', flags: [] })
})

it('what was cut keeps what is whole: rows of a chart, and a formula whose array is closed', () => {
  const chart = '<|class_start|>chart<|class_end|><|content_start|>| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n| 4 | 5'
  expect(readBlock('figure', 'picture', { text: chart, finish: 'length' })).toMatchObject({ kind: 'chart', text: 'a\tb\tc\n1\t2\t3', flags: ['cut'] })
  expect(readBlock('figure', 'picture', stop(chart))).toMatchObject({ kind: 'chart', text: '' })
  expect(readBlock('formula', 'equation', { text: '\\[ \\begin{array}{l} a \\\\ b', finish: 'length' }).latex).toBe('\\begin{array}{l} a \\\\ b \\end{array}')
})
