import { describe, expect, it } from 'vitest'
import type { Box } from '../../../../../src/schema/geometry.ts'
import type { PageBlock } from '../../../../../src/schema/page.ts'
import { assembled } from '../../../../support/assembled.ts'
import { block, page, tableBlock } from '../../../../support/page-results.ts'

const low: Box = [0.1, 0.5, 0.9, 0.92]
const high: Box = [0.1, 0.08, 0.9, 0.5]
const head = ['Company', 'City', 'Employees']
const rows = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => [`Firm ${from + i}`, i % 2 ? 'Oakland' : 'San Diego', `${(from + i) * 13}`])

async function tables(...pages: (readonly PageBlock[])[]) {
  const { document } = await assembled(pages.map((blocks, i) => page(i, blocks)))
  return document.blocks.filter((b) => b.kind === 'table')
}

describe('a table over two pages', () => {
  it('is one, its repeated header dropped, no row lost', async () => {
    const [table, ...others] = await tables([tableBlock([head, ...rows(0, 4)], 1, low)], [tableBlock([head, ...rows(4, 3)], 1, high)])
    expect(others).toEqual([])
    expect(table?.table).toMatchObject({ rows: 8, columns: 3, headerRows: 1 })
    expect(table?.table?.cells.filter((c) => c.column === 0).map((c) => c.text)).toEqual([
      'Company',
      'Firm 0',
      'Firm 1',
      'Firm 2',
      'Firm 3',
      'Firm 4',
      'Firm 5',
      'Firm 6',
    ])
    expect(table?.parts?.map((p) => p.page)).toEqual([0, 1])
    expect(table?.flags).toContain('merged')
    expect(table?.table?.html.match(/<tr>/g)).toHaveLength(8)
    expect(table?.text.split('\n')).toHaveLength(8)
  })

  it('goes on without a header when its edges agree', async () => {
    const found = await tables([tableBlock([head, ...rows(0, 4)], 1, low)], [tableBlock(rows(4, 3), 0, high)])
    expect(found.map((t) => t.table?.rows)).toEqual([8])
  })

  it('goes on although its page took the first row of data for a header', async () => {
    const found = await tables([tableBlock([head, ...rows(0, 4)], 1, low)], [tableBlock(rows(4, 3), 1, high)])
    expect(found.map((t) => t.table?.rows)).toEqual([8])
    expect(found[0]?.table?.cells.filter((c) => c.header)).toHaveLength(3)
  })

  it('is two where the second has a header of its own', async () => {
    const other = [['Product', 'Colour', 'Price'], ...rows(4, 3)]
    expect(await tables([tableBlock([head, ...rows(0, 4)], 1, low)], [tableBlock(other, 1, high)])).toHaveLength(2)
  })

  it('is two where columns or edges differ', async () => {
    const upper = tableBlock([head, ...rows(0, 4)], 1, low)
    expect(
      await tables(
        [upper],
        [
          tableBlock(
            rows(4, 3).map((r) => r.slice(1)),
            0,
            high,
          ),
        ],
      ),
    ).toHaveLength(2)
    expect(await tables([upper], [tableBlock(rows(4, 3), 0, [0.3, 0.08, 0.7, 0.5])])).toHaveLength(2)
  })

  it('is two where text stands between, or a caption of its own', async () => {
    const upper = tableBlock([head, ...rows(0, 4)], 1, low)
    const words = block({ kind: 'text', text: 'Some words.', box: [0.1, 0.04, 0.9, 0.06] })
    const caption = block({ kind: 'caption', text: 'Table 2: Others', box: [0.1, 0.04, 0.9, 0.06] })
    expect(await tables([upper], [words, tableBlock(rows(4, 3), 0, high)])).toHaveLength(2)
    expect(await tables([upper], [caption, tableBlock(rows(4, 3), 0, high)])).toHaveLength(2)
  })

  it('is one under a caption that says that it goes on, which stays and names it', async () => {
    const upper = tableBlock([head, ...rows(0, 4)], 1, low)
    const caption = block({ kind: 'caption', text: 'Table 1 (continued)', box: [0.1, 0.04, 0.9, 0.06] })
    const { document } = await assembled([page(0, [upper]), page(1, [caption, tableBlock(rows(4, 3), 0, high)])])
    expect(document.blocks.map((b) => [b.kind, b.parent])).toEqual([
      ['table', undefined],
      ['caption', upper.id],
    ])
  })

  it('completes the row that the break had cut', async () => {
    const upper = [
      ['Name', 'Remark'],
      ['Alpha', 'short'],
      ['Beta', 'a long remark that goes over'],
    ]
    const lower = [
      ['', 'the end of the page'],
      ['Gamma', 'short'],
    ]
    const [table] = await tables([tableBlock(upper, 1, low)], [tableBlock(lower, 0, high)])
    expect(table?.table?.rows).toBe(4)
    expect(table?.table?.cells.map((c) => c.text)).toContain('a long remark that goes over the end of the page')
  })

  it('keeps a row whose first cell is empty because the group above goes on', async () => {
    const upper = [
      ['State', 'Year', 'Sum'],
      ['Ohio', '2001', '10'],
      ['', '2002', '11'],
    ]
    const lower = [
      ['', '2003', '12'],
      ['Utah', '2001', '9'],
    ]
    const [table] = await tables([tableBlock(upper, 1, low)], [tableBlock(lower, 0, high)])
    expect(table?.table?.rows).toBe(5)
  })

  it('keeps words that stand in no cell', async () => {
    const upper = tableBlock([head, ...rows(0, 4)], 1, low)
    const stray = { ...tableBlock([head, ...rows(4, 3)], 1, high) }
    const [table] = await tables([upper], [{ ...stray, text: `${stray.text}\nSource: census` }])
    expect(table?.text.endsWith('Source: census')).toBe(true)
    expect(table?.markdown.endsWith('Source: census')).toBe(true)
  })

  it('runs on over many pages, and a table that begins on its last page is another', async () => {
    const middle = Array.from({ length: 5 }, (_, i) => [tableBlock(rows(10 * i, 5), 0, [0.1, 0.05, 0.9, 0.95])])
    const last = [
      tableBlock(rows(90, 2), 0, [0.1, 0.05, 0.9, 0.2]),
      block({ kind: 'text', text: 'Next.', box: [0.1, 0.3, 0.9, 0.33] }),
      tableBlock([head, ...rows(0, 4)], 1, low),
    ]
    const found = await tables([tableBlock([head, ...rows(0, 4)], 1, low)], ...middle, last)
    expect(found.map((t) => [t.table?.rows, t.parts?.length])).toEqual([
      [32, 7],
      [5, undefined],
    ])
  })
})

describe('two tables on one page', () => {
  it('stay two', async () => {
    expect(await tables([tableBlock([head, ...rows(0, 2)], 1, [0.1, 0.1, 0.9, 0.3]), tableBlock([head, ...rows(2, 2)], 1, [0.1, 0.4, 0.9, 0.6])])).toHaveLength(
      2,
    )
  })
})
