import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { configSchema } from '../../../../src/config/config.ts'
import { documentReader } from '../../../../src/runtime/documents/open-document-reader.ts'
import type { LayoutLine, Table } from '../../../../src/schema/page.ts'
import type { TextLayer } from '../../../../src/schema/text-layer.ts'
import { buildGeometry } from '../../../../src/stages/layout/atoms/build-geometry.ts'
import { findTables } from '../../../../src/stages/layout/tables/find-tables.ts'
import { readTable } from '../../../../src/stages/region-recognition/table/read-table.ts'
import { tableFaults } from '../../../support/table-faults.ts'
import { spelledOut, teds, tedsTree, tight } from '../../../support/teds.ts'
import { readTrueTables } from '../../../support/true-tables.ts'

const corpus = fileURLToPath(new URL('../../../../../shared/corpus/', import.meta.url))
const reader = documentReader(configSchema.parse({ workers: 1 }))

interface PageTable {
  readonly page: number
  readonly table: Table
}

/** The tables of all pages whose text layer can be read; every one is checked for its own faults. */
async function tablesOf(file: string): Promise<PageTable[]> {
  await using document = await reader.open({ name: file, path: corpus + file, mediaType: 'application/pdf', bytes: 0, sha256: '' }, {})
  const tables: PageTable[] = []
  for (let page = 0; page < document.info.pageCount; page++) {
    const textLayer = await document.textLayer(page)
    const geometry = buildGeometry(gated(textLayer)).page
    for (const found of findTables(geometry)) {
      expect(tableFaults(geometry, found), `${file} page ${page + 1}`).toEqual([])
      tables.push({ page, table: readTable(found.table, (lines) => textOf(lines, textLayer)) })
    }
  }
  return tables
}

const gated = (textLayer: TextLayer) => ({
  page: {
    documentId: 'd',
    revision: 'r',
    pageIndex: 0,
    pageCount: 1,
    ocr: 'never' as const,
    source: { name: '', path: '', mediaType: 'application/pdf', bytes: 0, sha256: '' },
  },
  frame: { width: textLayer.width, height: textLayer.height, angle: 0 as const },
  textLayer,
  verdict: { kind: 'text-layer' as const, reasons: [], regions: [], modelUsed: false, badStyles: [] },
})

const textOf = (lines: readonly LayoutLine[], layer: TextLayer): string =>
  lines.map((line) => (line.words ?? []).map((i) => `${layer.words[i]?.spaceBefore ? ' ' : ''}${layer.words[i]?.text ?? ''}`).join('')).join(' ')

/** Each true table against the found one that is most like it, each used once; the mean and the parts. */
function similarity(truthFile: string, found: readonly PageTable[], repeatSpans: boolean): number {
  const truth = readTrueTables(corpus + truthFile)
  const pairs = truth.flatMap((true_, i) =>
    found.flatMap((other, j) => {
      if (true_.pages.size > 0 && !true_.pages.has(other.page)) return []
      const want = tedsTree(true_.cells)
      const trees = true_.spans
        ? [tedsTree(other.table.cells)]
        : (repeatSpans ? [true] : [false, true]).map((repeat) => tedsTree(spelledOut(other.table.cells, repeat)))
      return [{ i, j, score: Math.max(...trees.map((tree) => teds(want, tree))) }]
    }),
  )
  const scores = new Map<number, number>()
  const used = new Set<number>()
  for (const { i, j, score } of pairs.sort((a, b) => b.score - a.score)) {
    if (scores.has(i) || used.has(j)) continue
    scores.set(i, score)
    used.add(j)
  }
  return truth.reduce((sum, _, i) => sum + (scores.get(i) ?? 0), 0) / truth.length
}

const rowsOf = ({ table }: PageTable): string[][] =>
  Array.from({ length: table.rows }, (_, r) => table.cells.filter((cell) => cell.row === r).map((cell) => tight(cell.text)))
const hasRow = (tables: readonly PageTable[], cells: readonly string[]): boolean =>
  tables.some((table) =>
    rowsOf(table).some((row) => {
      let from = 0
      return cells.every((cell) => {
        const at = row.indexOf(tight(cell), from)
        from = at + 1
        return at >= 0
      })
    }),
  )

describe.skipIf(!existsSync(corpus))('tables of real documents (needs the shared corpus)', () => {
  afterAll(async () => {
    await reader[Symbol.asyncDispose]()
  })

  it.each([
    ['eu-001', 0.97],
    ['eu-009a', 0.93],
    ['eu-014', 0.97],
    ['eu-024', 0.97],
    ['us-005', 0.97],
    ['us-012', 0.93],
    ['us-018', 0.95],
    ['us-035a', 0.95],
  ])('reads the tables of %s as people marked them', async (name, least) => {
    expect(similarity(`tables/groundtruth/${name}-str.xml`, await tablesOf(`tables/${name}.pdf`), false)).toBeGreaterThan(least)
  })

  it.each([
    ['row_span_1', 'row_span_1.data_lattice_copy_text.json', 0.93],
    ['clockwise_table_1', 'clockwise_table_1.data_lattice_table_rotated.json', 0.97],
    ['health', 'health.data_stream.json', 0.8],
    ['spanning_cells', 'spanning_cells.json', 0.97],
  ])('reads %s with spans, turned or without lines', async (name, truth, least) => {
    const found = await tablesOf(`tables/${name}.pdf`)
    expect(similarity(`tables/groundtruth/${truth}`, found, name === 'row_span_1')).toBeGreaterThan(least)
  })

  it('reads every row of a long statistic whose lines frame groups of rows', async () => {
    const found = await tablesOf('tables/nics-background-checks-2015-11.pdf')
    expect(found.map(({ table }) => [table.rows, table.columns, table.headerRows])).toEqual([[59, 25, 3]])
    expect(hasRow(found, ['Alabama', '18,870', '23,022', '71,137'])).toBe(true)
  })

  it('gives each page of a table over sixteen pages all of its rows', async () => {
    const found = await tablesOf('tables/WARN-Report-for-7-1-2015-to-03-25-2016.pdf')
    const first = found.filter(({ table }) => table.columns === 7)
    expect(first.reduce((sum, { table }) => sum + table.rows - table.headerRows, 0)).toBe(633)
    expect(first.map(({ table }) => table.headerRows)).toEqual([1, ...Array.from({ length: 14 }, () => 0)])
    expect(hasRow(found, ['Total', '632', '53,454', '295', '11', '90', '212', '12', '12'])).toBe(true)
  })

  it('keeps the many empty cells of a painted table', async () => {
    const found = await tablesOf('tables/SPARSE-2024-INV-1234_borderless_table.pdf')
    expect(hasRow(found, ['SKU-8847', 'A-12', '450', '', '', ''])).toBe(true)
    expect(hasRow(found, ['SKU-4563', 'D-22', '', '156', '', 'CRITICAL'])).toBe(true)
  })

  it('finds tables ruled in full, between columns only, between rows only and around the header only', async () => {
    const found = await tablesOf('tables/issue-466-example.pdf')
    expect(found.map(({ table }) => [table.rows, table.columns])).toEqual([
      [4, 3],
      [4, 3],
      [4, 3],
      [4, 3],
    ])
  })

  it('reads a table of days and months that typewriter columns make', async () => {
    const found = await tablesOf('parse/PDFBOX-4417-054080.pdf')
    expect(found[0]?.table.columns).toBe(13)
    for (let day = 1; day <= 31; day++) expect(rowsOf(found[0] as PageTable).some((row) => row[0] === String(day))).toBe(true)
  })

  it('finds the ruled and the tab-made table of a word processor', async () => {
    const found = await tablesOf('parse/testPDFVarious.pdf')
    expect(hasRow(found, ['Row 1 Col 1', 'Row 1 Col 2', 'Row 1 Col 3'])).toBe(true)
    expect(hasRow(found, ['Row 2 column 1', 'Row 2 column 2'])).toBe(true)
  })

  it('finds the tables of papers, one in a column of the page', async () => {
    expect((await tablesOf('parse/2305.03393v1-pg9.pdf')).length).toBe(1)
    expect((await tablesOf('parse/medium.pdf')).map(({ page, table }) => [page, table.rows, table.columns])).toEqual([
      [2, 52, 9],
      [3, 11, 4],
      [3, 9, 9],
    ])
  })

  it.each([
    'pdflatex-4-pages',
    'multi_page',
    'multi-column-2p',
    'amt_handbook_sample',
    'bookmark_sample',
    'code_and_formula',
    'fake-memo-with-duplicate-page',
    'issue14847',
    'PDFBOX-3110-poems-beads',
    'testPDFTwoTextBoxes',
    'right_to_left_01',
    'jo',
    'vertical',
    'text_document_01.odt',
  ])('finds no table in %s', async (name) => {
    expect(await tablesOf(`parse/${name}.pdf`)).toEqual([])
  })
})
