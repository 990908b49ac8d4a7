import { describe, expect, it } from 'vitest'
import type { LayoutCell, LayoutTable } from '../../../../../src/schema/page.ts'
import { readTable } from '../../../../../src/stages/region-recognition/table/read-table.ts'
import { tableToMarkdown } from '../../../../../src/stages/table-markdown.ts'

const box = [0, 0, 1, 1] as const

/** A layout whose cell lines are numbered in reading order, and the function that reads them. */
function laidOut(
  rows: readonly (readonly (string | { text: string; rowSpan?: number; columnSpan?: number })[])[],
  columns: number,
  headerRows = 0,
  regions = false,
) {
  const texts: string[] = []
  const cells: LayoutCell[] = []
  const taken = new Set<string>()
  for (const [row, line] of rows.entries()) {
    let column = 0
    for (const item of line) {
      while (taken.has(`${row} ${column}`)) column++
      const { text, rowSpan = 1, columnSpan = 1 } = typeof item === 'string' ? { text: item } : item
      for (let r = row; r < row + rowSpan; r++) for (let c = column; c < column + columnSpan; c++) taken.add(`${r} ${c}`)
      const id = texts.push(text) - 1
      const lines = text === '' ? [] : [regions ? { box, region: id } : { box, words: [id] }]
      cells.push({ row, column, rowSpan, columnSpan, box, header: row < headerRows, lines })
    }
  }
  const layout: LayoutTable = { rows: rows.length, columns, headerRows, ruled: true, cells }
  return readTable(layout, (lines) => lines.map((line) => texts[line.region ?? line.words?.[0] ?? -1]).join(' '))
}

describe('readTable', () => {
  it('writes valid HTML with spans, header and escaped text', () => {
    const table = laidOut([[{ text: 'A & B', columnSpan: 2 }], [{ text: '<x>', rowSpan: 2 }, '1'], ['"2"']], 2, 1)
    expect(table.html).toBe(
      '<table><thead><tr><th colspan="2">A &amp; B</th></tr></thead><tbody><tr><td rowspan="2">&lt;x&gt;</td><td>1</td></tr><tr><td>&quot;2&quot;</td></tr></tbody></table>',
    )
  })

  it('drops empty rows and columns at the rim and keeps those within', () => {
    const table = laidOut(
      [
        ['', '', ''],
        ['', 'a', 'b'],
        ['', '', ''],
        ['', 'c', 'd'],
      ],
      3,
      2,
    )
    expect([table.rows, table.columns, table.headerRows]).toEqual([3, 2, 1])
    expect(table.cells.map((cell) => cell.text)).toEqual(['a', 'b', '', '', 'c', 'd'])
  })

  it('finds the header of a table read from a picture by its text', () => {
    expect(
      laidOut(
        [
          ['Name', 'Salary'],
          ['Ann', '85,000'],
          ['Bob', '72,000'],
        ],
        2,
        0,
        true,
      ).headerRows,
    ).toBe(1)
    expect(
      laidOut(
        [
          ['Ann', '85,000'],
          ['Bob', '72,000'],
        ],
        2,
        0,
        true,
      ).headerRows,
    ).toBe(0)
  })

  it('cuts figures that the text finder glued over two columns', () => {
    const table = laidOut(
      [
        ['Name', 'In', 'Out'],
        ['Ann', { text: '12 34', columnSpan: 2 }],
        ['Bob', '5', '6'],
      ],
      3,
      0,
      true,
    )
    expect(table.cells.filter((cell) => cell.row === 1).map((cell) => cell.text)).toEqual(['Ann', '12', '34'])
  })

  it('keeps words that run over columns together', () => {
    const table = laidOut(
      [
        ['Name', 'In', 'Out'],
        ['Ann', { text: 'not known', columnSpan: 2 }],
        ['Bob', '5', '6'],
      ],
      3,
      0,
      true,
    )
    expect(table.cells.find((cell) => cell.text === 'not known')?.columnSpan).toBe(2)
  })
})

describe('tableToMarkdown', () => {
  it('writes a pipe table when there is one header row and no span', () => {
    expect(
      tableToMarkdown(
        laidOut(
          [
            ['a|b', 'c'],
            ['1\n2', '3'],
          ],
          2,
          1,
        ),
      ),
    ).toBe('| a\\|b | c |\n| --- | --- |\n| 1<br>2 | 3 |')
  })

  it.each([
    ['spans', laidOut([[{ text: 'a', columnSpan: 2 }], ['1', '2']], 2, 1)],
    [
      'no header',
      laidOut(
        [
          ['a', 'b'],
          ['1', '2'],
        ],
        2,
      ),
    ],
    [
      'two header rows',
      laidOut(
        [
          ['a', 'b'],
          ['c', 'd'],
          ['1', '2'],
        ],
        2,
        2,
      ),
    ],
  ])('writes HTML for a table with %s', (_, table) => {
    expect(tableToMarkdown(table)).toBe(table.html)
  })
})
