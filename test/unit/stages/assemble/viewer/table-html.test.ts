import { expect, it } from 'vitest'
import type { Table, TableCell } from '../../../../../src/schema/page.ts'
import { tableHtml } from '../../../../../src/stages/assemble/viewer/table-html.ts'

const cell = (row: number, column: number, text: string, more: Partial<TableCell> = {}): TableCell => ({
  row,
  column,
  rowSpan: 1,
  columnSpan: 1,
  header: false,
  text,
  ...more,
})
const table = (rows: number, columns: number, cells: TableCell[]): Table => ({ rows, columns, headerRows: 1, cells, html: '<table onclick="x()"></table>' })
const plain = (html: string) => html.replace(/<\/?(?:div|table|bdi)[^>]*>|\n/g, '')

it('builds rows and headers from the cells, in whatever order they come', () => {
  const html = tableHtml(
    table(2, 2, [cell(1, 1, 'd'), cell(0, 0, 'a', { header: true }), cell(1, 0, 'c', { header: true }), cell(0, 1, 'b', { header: true })]),
  )
  expect(plain(html)).toBe('<tr><th scope="col">a</th><th scope="col">b</th></tr><tr><th scope="row">c</th><td>d</td></tr>')
})

it('never uses the HTML that came with the table', () => {
  expect(tableHtml(table(1, 1, [cell(0, 0, '<b>')]))).not.toContain('onclick')
  expect(tableHtml(table(1, 1, [cell(0, 0, '<b>')]))).toContain('&lt;b&gt;')
})

it('keeps every cell in its column when cells are missing', () => {
  expect(plain(tableHtml(table(2, 3, [cell(0, 0, 'a', { rowSpan: 2 }), cell(0, 2, 'b'), cell(1, 2, 'c')])))).toBe(
    '<tr><td rowspan="2">a</td><td></td><td>b</td></tr><tr><td></td><td>c</td></tr>',
  )
})

it('cuts spans at the edge of the table', () => {
  expect(plain(tableHtml(table(1, 2, [cell(0, 0, 'a', { rowSpan: 9e9, columnSpan: 9e9 })])))).toBe('<tr><td colspan="2">a</td></tr>')
})

it('does not fill a grid that is declared out of all proportion', () => {
  const html = tableHtml(table(1e9, 1e9, [cell(0, 0, 'a'), cell(5, 3, 'b')]))
  expect(plain(html)).toBe('<tr><td>a</td></tr><tr><td>b</td></tr>')
})
