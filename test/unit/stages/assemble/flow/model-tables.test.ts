import { describe, expect, it } from 'vitest'
import type { Box } from '../../../../../src/schema/geometry.ts'
import type { PageBlock } from '../../../../../src/schema/page.ts'
import type { CellMerger } from '../../../../../src/stages/assemble/flow/cell-merger.ts'
import { assembled } from '../../../../support/assembled.ts'
import { expectTiled } from '../../../../support/expect-tiled.ts'
import { type GridCell, modelBlock, modelTableBlock, page } from '../../../../support/page-results.ts'

const low: Box = [0.1, 0.5, 0.9, 0.92]
const high: Box = [0.1, 0.08, 0.9, 0.5]
const above: Box = [0.1, 0.04, 0.9, 0.06]
const grid = [
  ['Item', 'Qty'],
  ['Nut', '4'],
  ['Bolt', '7'],
]
const more = [
  ['Screw', '9'],
  ['Washer', '12'],
]

async function document(pages: readonly (readonly PageBlock[])[], cells?: CellMerger) {
  const results = pages.map((blocks, i) => page(i, blocks))
  return (await assembled(results, {}, cells ? { cells } : {})).document
}
async function tables(...pages: (readonly PageBlock[])[]) {
  const found = (await document(pages)).blocks.filter((b) => b.kind === 'table')
  for (const { table } of found) if (table) expectTiled(table)
  return found
}
const upper = () => modelTableBlock(grid, low)
const caption = (text: string, box = above) => modelBlock({ kind: 'caption', text, box })
const columnOf = (table: { cells: readonly { column: number; text: string }[] } | undefined, column: number) =>
  table?.cells.filter((c) => c.column === column).map((c) => c.text)

describe('a table over two pages that a model read', () => {
  it('is one, its header once', async () => {
    const [table, ...others] = await tables([upper()], [modelTableBlock([['Item', 'Qty'], ...more], high)])
    expect(others).toEqual([])
    expect(columnOf(table?.table, 0)).toEqual(['Item', 'Nut', 'Bolt', 'Screw', 'Washer'])
  })

  it('leaves out up to five rows of repeated header, figures in them or not', async () => {
    const head = [['Balance', 'Year', '2024'], ['(millions)', 'note', 'EUR'], ...[1, 2, 3].map((n) => [`line ${n}`, 'of', 'head']), ['sixth', 'of', 'head']]
    const [table] = await tables([modelTableBlock([...head, ['a', 'b', '1']], low)], [modelTableBlock([...head, ['c', 'd', '2']], high)])
    expect(columnOf(table?.table, 0)?.slice(6)).toEqual(['a', 'sixth', 'c'])
  })

  it('keeps equal rows of figures', async () => {
    const figures = [
      ['1', '2'],
      ['3', '4'],
    ]
    expect((await tables([modelTableBlock(figures, low)], [modelTableBlock(figures, high)])).map((t) => t.table?.rows)).toEqual([4])
  })

  it('keeps a repeated header that a cell reaches out of', async () => {
    const withSpan = (rows: readonly (readonly string[])[], box: Box) => {
      const made = modelTableBlock(rows, box)
      const cells = made.table?.cells.flatMap((cell) => (cell.column > 0 ? cell : cell.row === 0 ? { ...cell, rowSpan: 2 } : cell.row === 1 ? [] : cell)) ?? []
      return { ...made, table: { ...(made.table as NonNullable<typeof made.table>), cells } }
    }
    const [table] = await tables(
      [withSpan([['Item', 'Count'], ['', 'pieces'], ['Nut', '4']], low)], // biome-ignore format: a grid
      [withSpan([['Item', 'Count'], ['', 'pcs.'], ['Bolt', '7']], high)], // biome-ignore format: a grid
    )
    expect(table?.table?.rows).toBe(6)
  })

  it('has one width: to less than a tenth of the smaller', async () => {
    const points = (width: number, y0: number, y1: number): Box => [60 / 612, y0, (60 + width) / 612, y1]
    const pair = (width: number) =>
      tables([modelTableBlock(grid, points(480, 0.5, 0.9))], [modelTableBlock([['Item', 'Qty'], ...more], points(width, 0.1, 0.4))])
    expect(await pair(436)).toHaveLength(2)
    expect(await pair(440)).toHaveLength(1)
  })

  it('is two under a caption of its own', async () => {
    expect(await tables([upper()], [caption('Table 2'), modelTableBlock(more, high)])).toHaveLength(2)
  })

  it.each(['Table 1 (Continued)', '表1（续）', '(continued) Table 4', '续表', 'Table 3 – continued', '（Table 3 continued）'])(
    'is one under “%s”',
    async (words) => {
      expect(await tables([upper()], [caption(words), modelTableBlock(more, high)])).toHaveLength(1)
    },
  )

  it.each(['discontinued', 'Table 2 cont.'])('is two under “%s”', async (words) => {
    expect(await tables([upper()], [caption(words), modelTableBlock(more, high)])).toHaveLength(2)
  })

  it('is one where one of two captions says that it goes on', async () => {
    const captions = [caption('Table 1: Stock', [0.1, 0.02, 0.9, 0.04]), caption('(continued)')]
    expect(await tables([upper()], [...captions, modelTableBlock(more, high)])).toHaveLength(1)
    expect(await tables([upper()], [...captions.toReversed(), modelTableBlock(more, high)])).toHaveLength(1)
  })

  it('is one where the line that says that it goes on passed for text', async () => {
    const { blocks } = await document([[upper()], [modelBlock({ kind: 'text', text: 'Table 1 (continued)', box: above }), modelTableBlock(more, high)]])
    expect(blocks.map((b) => b.kind)).toEqual(['table', 'caption'])
  })

  it('does not mind a caption below it', async () => {
    const lower = modelTableBlock(more, high)
    const { blocks } = await document([[upper()], [lower, caption('Stock in March', [0.1, 0.51, 0.9, 0.53])]])
    expect(blocks.map((b) => b.kind)).toEqual(['table', 'caption'])
    const early = caption('Stock in March', [0.1, 0.51, 0.9, 0.53])
    expect(await tables([upper()], [{ ...early, parent: lower.id }, lower])).toHaveLength(1)
  })

  it('is two where text stands between', async () => {
    const words = modelBlock({ kind: 'text', text: 'Some words.', box: [0.1, 0.93, 0.9, 0.95] })
    expect(await tables([upper(), words], [modelTableBlock(more, high)])).toHaveLength(2)
  })

  it('ends at a note, unless a caption says that it goes on; both notes stay', async () => {
    const note = (words: string, y: number) => modelBlock({ kind: 'footnote', text: words, box: [0.1, y, 0.9, y + 0.015] })
    const [first, second] = [note('Note: in pieces.', 0.922), note('Note: in boxes.', 0.502)]
    expect(await tables([upper(), first], [modelTableBlock(more, high)])).toHaveLength(2)
    const table = upper()
    const { blocks } = await document([
      [table, first],
      [caption('Table 1 (continued)'), modelTableBlock(more, high), second],
    ])
    expect(blocks.map((b) => [b.kind, b.text.split('\n')[0], b.parent])).toEqual([
      ['table', 'Item\tQty', undefined],
      ['footnote', 'Note: in pieces.', table.id],
      ['caption', 'Table 1 (continued)', table.id],
      ['footnote', 'Note: in boxes.', table.id],
    ])
  })

  it('is one with other columns where the rows at the seam have equally many cells', async () => {
    const wide: (readonly GridCell[])[] = [
      ['a', 'b', 'c'],
      [['total', 2], 'x'],
    ]
    const [table] = await tables([modelTableBlock(wide, low)], [modelTableBlock([['p', 'q'], ['r', 's']], high)]) // biome-ignore format: grids
    expect(table?.table).toMatchObject({ rows: 4, columns: 3 })
    expect(table?.table?.cells.filter((c) => c.row >= 2).map((c) => [c.column, c.columnSpan, c.text])).toEqual([
      [0, 2, 'p'],
      [2, 1, 'q'],
      [0, 2, 'r'],
      [2, 1, 's'],
    ])
    const plain = [['a', 'b', 'c'], ['d', 'e', 'f']] // biome-ignore format: a grid
    expect(await tables([modelTableBlock(plain, low)], [modelTableBlock([['p', 'q']], high)])).toHaveLength(2)
  })

  it('widens the upper part where the lower has more columns', async () => {
    const [table] = await tables([modelTableBlock([['a', 'b']], low)], [modelTableBlock([[['c', 2], 'd'], ['e', 'f', 'g']], high)]) // biome-ignore format: grids
    expect(table?.table).toMatchObject({ rows: 3, columns: 3 })
    expect(table?.table?.cells[0]).toMatchObject({ column: 0, columnSpan: 2, text: 'a' })
  })

  it('is two where words stand over its columns of figures', async () => {
    const figures = [...grid, ['Screw', '9'], ['Pin', '3']]
    expect(await tables([modelTableBlock(figures, low)], [modelTableBlock([['Colour', 'Price'], ['red', '3']], high)])).toHaveLength(2) // biome-ignore format: grids
  })

  it('runs on over many pages', async () => {
    const middle = [1, 2, 3].map((n) => [modelTableBlock([['Item', 'Qty'], [`part ${n}`, '1']], [0.1, 0.05, 0.9, 0.95])]) // biome-ignore format: grids
    expect((await tables([upper()], ...middle)).map((t) => [t.table?.rows, t.parts?.length])).toEqual([[6, 4]])
  })
})

describe('rows that the end of a page cut', () => {
  const head = ['Name', 'Remark']
  const cut = () => [modelTableBlock([head, ['Alpha', 'long te']], low)]
  const rest = () => [modelTableBlock([head, ['', 'xt'], ['Beta', 'short']], high)]
  const answering = (...answers: (readonly boolean[] | undefined)[]) => {
    const asked: (readonly (readonly string[])[])[] = []
    const cells: CellMerger = {
      async merge(lastRow, firstRow) {
        asked.push([lastRow, firstRow])
        return answers.shift()
      },
    }
    return { cells, asked }
  }
  const rows = async (pages: (readonly PageBlock[])[], cells?: CellMerger) => {
    const [table] = (await document(pages, cells)).blocks
    if (table?.table) expectTiled(table.table)
    return table?.text.split('\n')
  }

  it('are put together as the model says, without a blank, and an emptied row goes', async () => {
    const { cells, asked } = answering([false, true])
    expect(await rows([cut(), rest()], cells)).toEqual(['Name\tRemark', 'Alpha\tlong text', 'Beta\tshort'])
    expect(asked).toEqual([
      [
        ['Alpha', 'long te'],
        ['', 'xt'],
      ],
    ])
  })

  it('keep what is not flagged in a row of its own', async () => {
    const { cells } = answering([false, true])
    const pages = [cut(), [modelTableBlock([['Beta', 'xt']], high)]]
    expect(await rows(pages, cells)).toEqual(['Name\tRemark', 'Alpha\tlong text', 'Beta'])
  })

  it('stay apart where the model says so, whatever the words look like', async () => {
    const { cells } = answering([false, false])
    expect(await rows([cut(), rest()], cells)).toEqual(['Name\tRemark', 'Alpha\tlong te', '\txt', 'Beta\tshort'])
  })

  it('are put together by their words alone where nobody answers', async () => {
    const { cells } = answering(undefined)
    const joined = ['Name\tRemark', 'Alpha\tlong te xt', 'Beta\tshort']
    expect(await rows([cut(), rest()], cells)).toEqual(joined)
    expect(await rows([cut(), rest()])).toEqual(joined)
  })

  it('are put together over several pages', async () => {
    const { cells } = answering([false, true], [false, true])
    const middle = [modelTableBlock([['', 'xt that is ']], [0.1, 0.05, 0.9, 0.95])]
    expect(await rows([cut(), middle, [modelTableBlock([['', 'longer']], high)]], cells)).toEqual(['Name\tRemark', 'Alpha\tlong text that is longer'])
  })

  it('are not asked about where no model read them or their cells do not match', async () => {
    const { cells, asked } = answering()
    const three = [modelTableBlock([['a', 'b']], low)]
    await rows([three, [modelTableBlock([[['all', 2]], ['c', 'd']], high)]], cells) // biome-ignore format: grids
    await rows([[{ ...cut()[0], source: 'ocr' } as PageBlock], [{ ...rest()[0], source: 'ocr' } as PageBlock]], cells)
    expect(asked).toEqual([])
  })
})
