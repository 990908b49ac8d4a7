import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readHtml } from '../../../../../src/runtime/vlm/html/read-html.ts'
import { tableBounds } from '../../../../../src/runtime/vlm/html/tile-cells.ts'
import { expectTiled } from '../../../../support/expect-tiled.ts'

const texts = (html: string): string[][] => {
  const { table } = readHtml(html)
  const rows: string[][] = Array.from({ length: table?.rows ?? 0 }, () => [])
  for (const cell of table?.cells ?? []) rows[cell.row]?.push(cell.text)
  return rows
}

describe('HTML that a model wrote', () => {
  it('reads rows, cells and headers', () => {
    const { table, outside } = readHtml('<table><thead><tr><td>A</td><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>')
    expect(table).toEqual({
      rows: 2,
      columns: 2,
      cells: [
        { row: 0, column: 0, rowSpan: 1, columnSpan: 1, header: true, text: 'A' },
        { row: 0, column: 1, rowSpan: 1, columnSpan: 1, header: true, text: 'B' },
        { row: 1, column: 0, rowSpan: 1, columnSpan: 1, header: false, text: '1' },
        { row: 1, column: 1, rowSpan: 1, columnSpan: 1, header: false, text: '2' },
      ],
    })
    expect(outside).toBe('')
  })

  it('ends cells and rows that nothing ends', () => {
    expect(texts('<table><tr><td>a<td>b<tr><td>c<td>d')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  it('places cells beside those that reach down from above', () => {
    const { table } = readHtml('<table><tr><td rowspan=2 colspan=2>Big</td><td>t</td></tr><tr><td>u</td></tr><tr><td>d</td><td>e</td><td>f</td></tr></table>')
    expect(table?.cells.map(({ row, column, rowSpan, columnSpan, text }) => [row, column, rowSpan, columnSpan, text])).toEqual([
      [0, 0, 2, 2, 'Big'],
      [0, 2, 1, 1, 't'],
      [1, 2, 1, 1, 'u'],
      [2, 0, 1, 1, 'd'],
      [2, 1, 1, 1, 'e'],
      [2, 2, 1, 1, 'f'],
    ])
  })

  it('cuts spans at the edge of the table and at other cells, and fills what is left', () => {
    const { table } = readHtml('<table><tr><td>a</td><td rowspan="99">b</td></tr><tr><td colspan="1000">c</td></tr><tr></tr></table>')
    expect(table).toMatchObject({ rows: 3, columns: 2 })
    expect(table?.cells.map(({ row, column, rowSpan, columnSpan, text }) => [row, column, rowSpan, columnSpan, text])).toEqual([
      [0, 0, 1, 1, 'a'],
      [0, 1, 3, 1, 'b'],
      [1, 0, 1, 1, 'c'],
      [2, 0, 1, 1, ''],
    ])
  })

  it('keeps a row that holds nothing but cells from above', () => {
    expect(readHtml('<table><tr><td rowspan=2>a</td><td rowspan=2>b</td></tr><tr></tr><tr><td>c</td><td>d</td></tr></table>').table?.rows).toBe(3)
    expect(readHtml('<table><tr></tr><tr><td>c</td></tr><tr></tr></table>').table?.rows).toBe(1)
  })

  it('leaves out scripts, styles, comments, attributes and other tags', () => {
    const html =
      '<table onload=x><tr><td style="a<b" onclick=\'y\'><script>alert(1)</script>one<!-- <td>no --><b>two</b><img src=x onerror=z></td><td><svg><a>no</a></svg>3</td></tr></table>'
    expect(texts(html)).toEqual([['onetwo', '3']])
  })

  it('decodes entities once', () => {
    expect(texts('<table><tr><td>&lt;b&gt; &amp;amp; &#39;&eacute;&nbsp;x</td></tr></table>')).toEqual([["<b> &amp; 'é x"]])
  })

  it('makes a table in a cell part of the text of the cell', () => {
    expect(texts('<table><tr><td>a<table><tr><td>b</td><td>c</td></tr><tr><td>d</td></tr></table>e</td><td>f</td></tr></table>')).toEqual([
      ['a\nb c\nd\ne', 'f'],
    ])
  })

  it('keeps line breaks that are marked, and no others', () => {
    expect(texts('<table><tr><td>one\n  two<br>three<p>four</p></td></tr></table>')).toEqual([['one two\nthree\nfour']])
  })

  it('raises and lowers digits, so that a power is no longer number', () => {
    expect(texts('<table><tr><td>10<sup>-2</sup></td><td>H<sub>2</sub>O</td><td>a<sup>rd</sup></td></tr></table>')).toEqual([['10⁻²', 'H₂O', 'ard']])
  })

  it('keeps what looks like a tag inside a formula', () => {
    expect(texts('<table><tr><td>\\( a<b \\)</td><td>\\( x & y \\) &lt; \\(z&lt;1\\)</td></tr></table>')).toEqual([
      ['\\( a<b \\)', '\\( x & y \\) < \\(z<1\\)'],
    ])
    expect(texts('<table><tr><td>\\( open</td><td>closed \\)</td></tr></table>')).toEqual([['\\( open', 'closed \\)']])
  })

  it('gives the text around the table, and all of it where there is none', () => {
    expect(readHtml('Before <b>it</b><table><caption>Name</caption><tr><td>a</td></tr></table>after').outside).toBe('Before it\nName\nafter')
    expect(readHtml('just <i>text</i> & more')).toEqual({ table: undefined, outside: 'just text & more' })
    expect(readHtml('<table></table>').table).toBeUndefined()
  })

  it('goes on with the rows of a second table', () => {
    expect(texts('<table><tr><td>a</td></tr></table><table><tr><td>b</td></tr></table>')).toEqual([['a'], ['b']])
  })

  it('bounds rows, columns and places', () => {
    const wide = readHtml(`<table><tr>${'<td>x'.repeat(1000)}</table>`).table
    expect(wide?.columns).toBe(tableBounds.columns)
    const long = readHtml(`<table>${'<tr><td>x'.repeat(5000)}<tr>${'<td>y'.repeat(900)}</table>`).table
    expect(long?.rows).toBe(tableBounds.rows)
    const both = readHtml(`<table><tr>${'<td>y'.repeat(900)}${'<tr><td>x'.repeat(5000)}</table>`).table
    expect((both?.rows ?? 0) * (both?.columns ?? 0)).toBeLessThanOrEqual(tableBounds.places)
  })

  it('takes time in the length of the text, however it is nested or left open', { timeout: 10_000 }, () => {
    for (const part of [
      '<b>',
      '<table><tr><td>',
      '<td',
      '\\(',
      '\\(<td>',
      '<!--',
      '&',
      '<a b=',
      '</',
      '<sup>',
      '<script>',
      '<svg>',
      '&#x',
      '<td rowspan=0 colspan=0>',
    ])
      readHtml(part.repeat(Math.ceil(400_000 / part.length)))
  })
})

const piece = fc.oneof(
  fc.constantFrom(
    '<table>',
    '</table>',
    '<tr>',
    '</tr>',
    '<td>',
    '</td>',
    '<th>',
    '</th>',
    '<thead>',
    '</thead>',
    '<tbody>',
    '<td rowspan="3">',
    '<td colspan=2>',
    '<td rowspan="0">',
    '<td colspan="0" rowspan=99999>',
    '<td rowspan="-1">',
    '<td colspan="2',
    '<script>',
    '</script>',
    '<style>',
    '<!--',
    '-->',
    '<img src=x onerror=1>',
    '<sup>',
    '</sup>',
    '\\(',
    '\\)',
    '<svg>',
    '</svg>',
    '<plaintext>',
    '<![CDATA[',
    ']]>',
    '<br/>',
    '&lt;',
    '&#0;',
    '&#xd800;',
    '&',
    '<',
    '>',
    '"',
  ),
  fc.string({ maxLength: 8, unit: 'binary' }),
)

describe('any HTML', () => {
  it('gives cells that tile the grid, and nothing that was markup', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const { table, outside } = readHtml(pieces.join(''))
        if (table !== undefined) expectTiled(table)
        const said = [outside, ...(table?.cells.map(({ text }) => text) ?? [])].join('\n')
        if (!pieces.some((text) => text === '\\(' || text.includes('<td rowspan="-1') || text.includes('&')))
          expect(said).not.toMatch(/<\/?(?:table|t[rdh]|script|style|img)[ >]/)
      }),
      { numRuns: 10_000 },
    )
  })
})
