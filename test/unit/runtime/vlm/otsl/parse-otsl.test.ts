import fc from 'fast-check'
import { expect, it } from 'vitest'
import { otslHtml } from '../../../../../src/runtime/vlm/otsl/otsl-html.ts'
import { mostColumns, mostPlaces, parseOtsl } from '../../../../../src/runtime/vlm/otsl/parse-otsl.ts'
import type { ModelTable } from '../../../../../src/schema/vlm-block.ts'

const html = (text: string, formulas = false): string => {
  const parsed = parseOtsl(text)
  return parsed ? otslHtml(parsed.table, { formulas }) : ''
}
const texts = (text: string): string[] => parseOtsl(text)?.table.cells.map((cell) => cell.text) ?? []

it.each([
  ['<fcel>A<fcel>B<nl><fcel>1<fcel>2<nl>', '<table><tr><td>A</td><td>B</td></tr><tr><td>1</td><td>2</td></tr></table>'],
  ['<fcel>Head<lcel><fcel>X<nl><fcel>a<fcel>b<ecel><nl>', '<table><tr><td colspan="2">Head</td><td>X</td></tr><tr><td>a</td><td>b</td><td></td></tr></table>'],
  ['<fcel>R<fcel>p<nl><ucel><fcel>q<nl>', '<table><tr><td rowspan="2">R</td><td>p</td></tr><tr><td>q</td></tr></table>'],
  [
    '<fcel>Big<lcel><fcel>t<nl><ucel><xcel><fcel>u<nl><fcel>d<fcel>e<fcel>f<nl>',
    '<table><tr><td rowspan="2" colspan="2">Big</td><td>t</td></tr><tr><td>u</td></tr><tr><td>d</td><td>e</td><td>f</td></tr></table>',
  ],
  ['<fcel>a<fcel>b<fcel>c<nl><fcel>d<nl>', '<table><tr><td>a</td><td>b</td><td>c</td></tr><tr><td>d</td><td></td><td></td></tr></table>'],
  ['<fcel>x < y & "z"<fcel>it\'s<nl>', '<table><tr><td>x &lt; y &amp; &quot;z&quot;</td><td>it&#x27;s</td></tr></table>'],
  ['<fcel>a<ecel><nl><ecel><fcel>b', '<table><tr><td>a</td><td></td></tr><tr><td></td><td>b</td></tr></table>'],
  ['<lcel><fcel>b<nl>', '<table><tr><td></td><td>b</td></tr></table>'],
  [
    '<fcel>a<fcel>b<nl><ucel><ucel><nl><fcel>c<fcel>d<nl>',
    '<table><tr><td rowspan="2">a</td><td rowspan="2">b</td></tr><tr></tr><tr><td>c</td><td>d</td></tr></table>',
  ],
])('%s is printed as MinerU prints it', (otsl, expected) => {
  expect(html(otsl)).toBe(expected)
})

it('formulas are marked when asked for', () => {
  expect(html('<fcel>\\(x\\)<fcel>\\[y\\]<nl>', true)).toBe('<table><tr><td><eq>x</eq></td><td><eq>y</eq></td></tr></table>')
  expect(html('<fcel>\\(x<1\\)<nl>', true)).toBe('<table><tr><td><eq>x&lt;1</eq></td></tr></table>')
  expect(html('<fcel>\\(x\\)<nl>')).toBe('<table><tr><td>\\(x\\)</td></tr></table>')
})

it('words before the first token shift nothing and are told', () => {
  expect(html('preamble<fcel>a<nl>')).toBe('<table><tr><td>a</td></tr></table>')
  expect(parseOtsl('preamble<fcel>a<nl>')?.lostText).toBe(true)
  expect(parseOtsl(' \n<fcel>a<nl>\n')?.lostText).toBe(false)
})

it('an empty row shifts nothing', () => {
  expect(html('<fcel>a<nl><nl><fcel>b<nl>')).toBe('<table><tr><td>a</td></tr><tr><td>b</td></tr></table>')
  expect(html('<nl><fcel>a<nl>')).toBe('<table><tr><td>a</td></tr></table>')
})

it('words after a token that opens no cell belong to the cell that covers its place', () => {
  expect(texts('<fcel>a<lcel>b<fcel>c<nl>')).toEqual(['a b', 'c'])
  expect(texts('<fcel>a<ecel>b<nl>')).toEqual(['a', 'b'])
  expect(texts('<lcel>a<fcel>b<nl>')).toEqual(['a', 'b'])
})

it('words after the end of a row are told', () => {
  expect(parseOtsl('<fcel>a<nl>note<fcel>b<nl>')).toMatchObject({ lostText: true, table: { rows: 2 } })
})

it('what is no token is text', () => {
  expect(texts('<fcel><b>a</b> <FCEL><nl>')).toEqual(['<b>a</b> <FCEL>'])
  expect(parseOtsl('no table')).toBeUndefined()
  expect(parseOtsl('<nl><nl>')).toBeUndefined()
  expect(parseOtsl('<lcel><ucel><nl>')).toBeUndefined()
  expect(parseOtsl('')).toBeUndefined()
})

it('half a token at the end of a cut answer is no text', () => {
  expect(parseOtsl('<fcel>a<fc', true)?.table.cells).toMatchObject([{ text: 'a' }])
  expect(parseOtsl('<fcel>a<fcel', true)?.table.cells).toMatchObject([{ text: 'a' }])
  expect(parseOtsl('<fcel>a<fc')?.table.cells).toMatchObject([{ text: 'a<fc' }])
  expect(parseOtsl('<fcel>a <b', true)?.table.cells).toMatchObject([{ text: 'a <b' }])
})

it('a span that runs into a cell is cut back', () => {
  const cells = parseOtsl('<fcel>a<lcel><nl><ucel><fcel>b<nl>')?.table.cells
  expect(cells).toMatchObject([
    { text: 'a', rowSpan: 1, columnSpan: 2 },
    { text: '', row: 1, column: 0, rowSpan: 1, columnSpan: 1 },
    { text: 'b', row: 1, column: 1 },
  ])
})

it('a table over its bounds is cut back to them and says so', () => {
  const wide = parseOtsl('<fcel>a'.repeat(2000))
  expect(wide).toMatchObject({ overBounds: true, table: { rows: 1, columns: mostColumns } })
  const padded = parseOtsl(`${'<fcel>a'.repeat(500)}${'<nl><fcel>b'.repeat(10_000)}`)
  expect(padded?.overBounds).toBe(true)
  expect((padded?.table.rows ?? 0) * (padded?.table.columns ?? 0)).toBeLessThanOrEqual(mostPlaces)
})

it('a hundred thousand tokens take one walk', () => {
  for (const piece of ['<fcel>', '<lcel>', '<ucel><nl>', '<fcel><lcel><nl><ucel><xcel><nl>', '<nl>', '<fce', '<']) {
    expect(() => parseOtsl(piece.repeat(100_000), true)).not.toThrow()
  }
})

const otslText = fc
  .array(
    fc.oneof({ weight: 8, arbitrary: fc.constantFrom('<fcel>', '<ecel>', '<lcel>', '<ucel>', '<xcel>', '<nl>') }, fc.string({ unit: 'binary', maxLength: 8 })),
    {
      maxLength: 200,
    },
  )
  .map((parts) => parts.join(''))

it('the cells of any answer cover each place of the grid once', () => {
  fc.assert(
    fc.property(otslText, fc.boolean(), (text, cut) => {
      const parsed = parseOtsl(text, cut)
      if (parsed) expectTiled(parsed.table)
      expect(typeof html(text, true)).toBe('string')
    }),
    { numRuns: 2000 },
  )
})

function expectTiled(table: ModelTable): void {
  const covered = new Uint8Array(table.rows * table.columns)
  for (const cell of table.cells) {
    for (let row = cell.row; row < cell.row + cell.rowSpan; row++) {
      for (let column = cell.column; column < cell.column + cell.columnSpan; column++) {
        expect(row < table.rows && column < table.columns).toBe(true)
        covered[row * table.columns + column] = (covered[row * table.columns + column] ?? 0) + 1
      }
    }
  }
  expect(covered.every((times) => times === 1)).toBe(true)
}
