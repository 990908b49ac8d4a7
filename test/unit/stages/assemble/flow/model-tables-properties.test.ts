import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { PageBlock, Table, TableCell } from '../../../../../src/schema/page.ts'
import type { CellMerger } from '../../../../../src/stages/assemble/flow/cell-merger.ts'
import { tableText } from '../../../../../src/text/table-text.ts'
import { assembled } from '../../../../support/assembled.ts'
import { expectTiled } from '../../../../support/expect-tiled.ts'
import { modelBlock, page } from '../../../../support/page-results.ts'
import { randomOf } from '../../../../support/vlm/random.ts'

const words = ['Item', 'Qty', '', '', '7', '12.5', 'ten', 'of', '山']

/** A grid whose cells span rows and columns at random, each place covered once. */
function randomTable(random: () => number, serial: () => string): Table {
  const [rows, columns] = [1 + Math.floor(random() * 5), 1 + Math.floor(random() * 4)]
  const taken = new Set<string>()
  const cells: TableCell[] = []
  const free = (row: number, column: number) => row < rows && column < columns && !taken.has(`${row} ${column}`)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (!free(row, column)) continue
      let columnSpan = 1
      while (random() < 0.25 && free(row, column + columnSpan)) columnSpan++
      const isFree = (below: number) => Array.from({ length: columnSpan }, (_, i) => free(below, column + i)).every((is) => is)
      let rowSpan = 1
      while (random() < 0.25 && isFree(row + rowSpan)) rowSpan++
      for (let y = row; y < row + rowSpan; y++) for (let x = column; x < column + columnSpan; x++) taken.add(`${y} ${x}`)
      const word = words[Math.floor(random() * words.length)] ?? ''
      cells.push({ row, column, rowSpan, columnSpan, header: false, text: random() < 0.5 ? word : `${word}${serial()}` })
    }
  }
  return { rows, columns, headerRows: 0, cells, html: '' }
}

const tableOf = (table: Table): PageBlock => ({ ...modelBlock({ kind: 'table', box: [0.1, 0.1, 0.9, 0.9] }), table, text: tableText(table) })

it('tables of models stay whole however they are joined, and no word of them is lost', async () => {
  let joined = 0
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const random = randomOf(seed)
      let last = 0
      const tables = Array.from({ length: 2 + Math.floor(random() * 4) }, () => randomTable(random, () => ` w${++last}w`))
      const cells: CellMerger = {
        merge: async (above) => (random() < 0.3 ? undefined : above.map(() => random() < 0.5)),
      }
      const pages = tables.map((table, i) => page(i, [{ ...tableOf(table), box: i === 0 ? [0.1, 0.5, 0.9, 0.9] : [0.1, 0.1, 0.9, 0.9] }]))
      const { document } = await assembled(pages, {}, random() < 0.7 ? { cells } : {})
      for (const { table, parts } of document.blocks) {
        if (parts) joined++
        if (table) expectTiled(table)
        expect(table?.rows).toBeGreaterThan(0)
      }
      // What stands in one place only cannot be a repeated header.
      const all = document.blocks.map((block) => block.text).join('\n')
      for (let word = 1; word <= last; word++) expect(all).toContain(`w${word}w`)
    }),
    { numRuns: 400 },
  )
  expect(joined).toBeGreaterThan(50)
})
