import type { Box } from '../../src/schema/geometry.ts'
import type { DocumentSource, Look, PageBlock, PageResult, Table, TableCell } from '../../src/schema/page.ts'
import { tableText } from '../../src/text/table-text.ts'

/** Builders of hand-made page results: a page of 612 x 792 points with blocks where a test puts them. */

export const source: DocumentSource = { name: 'paper.pdf', path: '/tmp/paper.pdf', mediaType: 'application/pdf', bytes: 1234, sha256: 'a'.repeat(64) }

export const look = (sizePt: number, more: Partial<Look> = {}): Look => ({ sizePt, bold: false, italic: false, font: 'Times', color: '#000000', ...more })

export type BlockDraft = Partial<PageBlock> & Pick<PageBlock, 'kind'>

let serial = 0

/** A block; lines are made of `text`, split at line breaks and laid out over the box. */
export function block(draft: BlockDraft): PageBlock {
  const box: Box = draft.box ?? [0.1, 0.4, 0.9, 0.45]
  const printed = (draft.text ?? '').split('\n')
  const step = (box[3] - box[1]) / printed.length
  const lines = draft.text === undefined ? [] : printed.map((text, i) => ({ box: [box[0], box[1] + i * step, box[2], box[1] + (i + 1) * step] as Box, text }))
  const text = printed.join(' ')
  return {
    id: `b${++serial}`,
    page: 0,
    angle: 0,
    order: 0,
    markdown: text,
    lines,
    look: look(10),
    source: 'text-layer',
    flags: [],
    ...draft,
    box,
    text,
  }
}

/** A page; blocks get its index and their order. */
export function page(index: number, blocks: readonly PageBlock[], more: Partial<PageResult> = {}): PageResult {
  return {
    index,
    width: 612,
    height: 792,
    angle: 0,
    textSource: 'text-layer',
    reasons: [],
    status: 'ok',
    flags: [],
    lostWords: 0,
    ...more,
    blocks: blocks.map((b, order) => ({ ...b, page: index, order })),
  }
}

export const failedPage = (index: number): PageResult =>
  page(index, [], { status: 'failed', textSource: 'none', failure: { class: 'input', code: 'page-corrupt', message: 'loading the page: it is corrupt' } })

/** A table of plain cells; the first `headerRows` rows are its header. */
export function table(grid: readonly (readonly string[])[], headerRows = 0): Table {
  const cells: TableCell[] = grid.flatMap((row, r) => row.map((text, c) => ({ row: r, column: c, rowSpan: 1, columnSpan: 1, header: r < headerRows, text })))
  return { rows: grid.length, columns: grid[0]?.length ?? 0, headerRows, cells, html: '' }
}

export const tableBlock = (grid: readonly (readonly string[])[], headerRows: number, box: Box, more: Partial<PageBlock> = {}): PageBlock => ({
  ...block({ kind: 'table', box, ...more }),
  text: grid.map((row) => row.join('\t')).join('\n'),
  table: table(grid, headerRows),
})

/** A block as a vision-language model gives it: a place and what it says; no lines and no look. */
export function modelBlock(draft: BlockDraft): PageBlock {
  const { look: _, ...made } = block({ source: 'vlm:MinerU2.5', ...draft })
  const text = draft.text ?? ''
  return { ...made, text, markdown: draft.markdown ?? text, lines: [] }
}

/** A cell of a grid: its text, or its text and the columns that it spans. */
export type GridCell = string | readonly [text: string, columnSpan: number]

/** A table as a vision-language model gives it: its reader marks no header. */
export function modelTableBlock(grid: readonly (readonly GridCell[])[], box: Box, more: Partial<PageBlock> = {}): PageBlock {
  const cells: TableCell[] = []
  let columns = 0
  for (const [row, line] of grid.entries()) {
    let column = 0
    for (const cell of line) {
      const [text, columnSpan] = typeof cell === 'string' ? [cell, 1] : cell
      cells.push({ row, column, rowSpan: 1, columnSpan, header: false, text })
      column += columnSpan
    }
    columns = Math.max(columns, column)
  }
  const made: Table = { rows: grid.length, columns, headerRows: 0, cells, html: '' }
  return { ...modelBlock({ kind: 'table', box, ...more }), text: tableText(made), table: made }
}
