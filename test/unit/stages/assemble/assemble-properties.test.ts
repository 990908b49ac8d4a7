import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BlockKind } from '../../../../src/schema/block-kind.ts'
import { type Document, documentBlockSchema } from '../../../../src/schema/document.ts'
import type { Box } from '../../../../src/schema/geometry.ts'
import type { PageResult } from '../../../../src/schema/page.ts'
import { assembled } from '../../../support/assembled.ts'
import { block, failedPage, look, page, tableBlock } from '../../../support/page-results.ts'

const kinds: BlockKind[] = ['heading', 'text', 'text', 'text', 'list_item', 'caption', 'footnote', 'figure', 'page_header', 'page_number', 'reference', 'code']
const words = fc
  .array(fc.constantFrom('river', 'Stone', 'and', 'the', 'end.', 'well-', 'of', '42', '山', 'Fig. 3'), { minLength: 1, maxLength: 40 })
  .map((w) => w.join(' '))
const box = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 90 })).map(([x, y]): Box => [x / 100, y / 100, (x + 38) / 100, (y + 8) / 100])

const anyBlock = fc.record({
  kind: fc.constantFrom(...kinds),
  text: words,
  box,
  size: fc.constantFrom(8, 10, 10, 14),
  hidden: fc.integer({ min: 0, max: 12 }).map((n) => n === 0),
})
const anyTable = fc.record({
  rows: fc.integer({ min: 1, max: 12 }),
  columns: fc.integer({ min: 1, max: 4 }),
  header: fc.boolean(),
  low: fc.boolean(),
  same: fc.boolean(),
})
const anyPage = fc.record({
  blocks: fc.array(anyBlock, { maxLength: 7 }),
  table: fc.option(anyTable),
  tableFirst: fc.boolean(),
  failed: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
})

let serial = 0

function pages(drafts: readonly (typeof anyPage extends fc.Arbitrary<infer T> ? T : never)[]): PageResult[] {
  return drafts.map((draft, index) => {
    if (draft.failed) return failedPage(index)
    const blocks = draft.blocks.map(({ kind, text, box: place, size, hidden }) =>
      block({ kind, text, box: place, look: look(size), flags: hidden ? ['hidden-text'] : [] }),
    )
    if (draft.table) {
      const { rows, columns, header, low } = draft.table
      const grid = Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (_, c) => (r === 0 && header ? `Head ${c}` : `v${++serial}`)))
      const made = tableBlock(grid, header ? 1 : 0, low ? [0.1, 0.6, 0.9, 0.95] : [0.1, 0.05, 0.9, 0.35])
      if (draft.tableFirst) blocks.unshift(made)
      else blocks.push(made)
    }
    return page(index, blocks)
  })
}

const anyDocument = fc.array(anyPage, { minLength: 1, maxLength: 6 }).map(pages)
const runs = { numRuns: 80 }
const tight = (text: string) => text.replace(/[\s-]/g, '')

const apart = ['page_header', 'page_footer', 'page_number']

/** Every cell and every word that a reader of the document is to find in its chunks. */
function saidBy(document: Document): string[] {
  const seen = document.blocks.filter((b) => !apart.includes(b.kind) && !b.flags.includes('hidden-text'))
  return seen.flatMap((b) => b.table?.cells.map((cell) => cell.text) ?? b.text.split(' '))
}

describe('whatever the pages say', () => {
  it('every block goes out once, as itself or as a part of another', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const result = await assembled(document)
        const all = document.flatMap((p) => p.blocks)
        const parts = result.document.blocks.reduce((sum, b) => sum + (b.parts?.length ?? 1), 0)
        expect(parts).toBe(all.length)
        expect(new Set(result.document.blocks.map((b) => b.id)).size).toBe(result.document.blocks.length)
        expect(result.document.blocks.map((b) => b.order)).toEqual(result.document.blocks.map((_, i) => i))
        const letters = (texts: readonly string[]) => [...tight(texts.join(''))].sort().join('')
        const running = (b: { kind: string; table?: unknown }) => b.table === undefined
        expect(letters(result.document.blocks.filter(running).map((b) => b.text))).toBe(letters(all.filter(running).map((b) => b.text)))
      }),
      runs,
    )
  })

  it('no row of a table is lost', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const result = await assembled(document)
        const values = (cells: readonly { text: string }[] = []) => cells.map((c) => c.text).filter((t) => t.startsWith('v'))
        const before = document.flatMap((p) => p.blocks).flatMap((b) => values(b.table?.cells))
        const after = result.document.blocks.flatMap((b) => values(b.table?.cells))
        expect(after.sort()).toEqual(before.sort())
        for (const { table } of result.document.blocks) {
          if (!table) continue
          const places = new Set(table.cells.map((c) => `${c.row} ${c.column}`))
          expect([places.size, Math.max(...table.cells.map((c) => c.row)) + 1]).toEqual([table.rows * table.columns, table.rows])
        }
      }),
      runs,
    )
  })

  it('chunks keep to the budget but for single rows, and hold all text that is no furniture', async () => {
    const budgets = fc.record({ maxTokens: fc.integer({ min: 8, max: 120 }), minTokens: fc.integer({ min: 0, max: 40 }) })
    await fc.assert(
      fc.asyncProperty(anyDocument, budgets, async (document, chunks) => {
        const result = await assembled(document, {}, { chunks })
        for (const chunk of result.chunks)
          if (!chunk.kinds.includes('table') && !chunk.kinds.includes('heading')) expect(chunk.tokens).toBeLessThanOrEqual(chunks.maxTokens)
        const said = tight(result.chunks.map((c) => [...c.headings, c.text].join('')).join(''))
        for (const piece of saidBy(result.document)) expect(said).toContain(tight(piece))
      }),
      runs,
    )
  })

  it('the same pages give the same bytes, and every line of blocks.jsonl follows the schema', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const [a, b] = [await assembled(document), await assembled(document)]
        expect([...a.sink.files]).toEqual([...b.sink.files])
        for (const line of a.sink.text('blocks.jsonl').split('\n').filter(Boolean)) documentBlockSchema.parse(JSON.parse(line))
      }),
      { numRuns: 40 },
    )
  })
})
