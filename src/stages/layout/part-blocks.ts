import { overlapX, overlapY, unionAll } from '../../geometry/box.ts'
import type { DraftBlock } from './draft-block.ts'
import { lineSpans, type Span } from './lines/column-span.ts'
import { attachDropCaps } from './lines/drop-caps.ts'
import { groupLines } from './lines/group-lines.ts'
import type { PrintedLine } from './lines/printed-line.ts'
import { type ParagraphContext, splitParagraphs } from './lines/split-paragraphs.ts'
import { stackLines } from './lines/stack-lines.ts'
import type { Piece } from './order/piece.ts'
import type { ColumnPart } from './order/xy-cut.ts'
import type { Solid } from './solids.ts'

/** Makes blocks of a stretch of a column: paragraphs, with tables and figures put between them where they stand. */
export function partBlocks(part: ColumnPart, solids: readonly Solid[], context: ParagraphContext): DraftBlock[] {
  const solidPieces = part.pieces.filter((p) => p.solid !== undefined)
  const lines = stackLines(attachDropCaps(groupLines(part.pieces, context.page)), context.page)
  // A table between two lines ends a paragraph: runs of lines are split apart there.
  const runs = splitAtSolids(lines, solidPieces)
  const obstacles = solidPieces.map((p) => p.box)
  const spans = lineSpans(lines, obstacles)
  const spanOf = new Map<PrintedLine, Span>()
  for (const [i, line] of lines.entries()) spanOf.set(line, spans[i] ?? [line.box[0], line.box[2]])
  const groups = runs.flatMap((run) =>
    splitParagraphs(
      run,
      run.map((line) => spanOf.get(line) ?? [line.box[0], line.box[2]]),
      context,
    ),
  )
  const blocks = groups.map(({ lines, brokenByHand }) => ({ ...textDraft(lines, part.column), ...(brokenByHand ? { brokenByHand } : {}) }))
  return withWhite(placeSolids(blocks, solidPieces, solids, part.column))
}

export const textDraft = (lines: PrintedLine[], column: DraftBlock['column']): DraftBlock => ({
  kind: 'text',
  lines,
  box: unionAll(lines.map((l) => l.box)),
  column,
  whiteAbove: Infinity,
  whiteBelow: Infinity,
  endsColumn: false,
  flags: [],
})

/** Cuts between two lines that have a solid between them rather than beside them. */
function splitAtSolids(lines: readonly PrintedLine[], solids: readonly Piece[]): PrintedLine[][] {
  const runs: PrintedLine[][] = []
  let run: PrintedLine[] = []
  for (const line of lines) {
    const before = run.at(-1)
    const isApart =
      before && solids.some((s) => s.box[1] >= before.box[1] + before.em * 0.5 && s.box[3] <= line.box[3] - line.em * 0.5 && overlapX(s.box, line.box) > 0)
    if (isApart) {
      runs.push(run)
      run = []
    }
    run.push(line)
  }
  if (run.length > 0) runs.push(run)
  return runs
}

/** Each solid goes before the first paragraph that begins below its top; one beside a paragraph follows it. */
function placeSolids(blocks: readonly DraftBlock[], pieces: readonly Piece[], solids: readonly Solid[], column: DraftBlock['column']): DraftBlock[] {
  const placed: DraftBlock[] = []
  const waiting = [...pieces]
  for (const block of blocks) {
    while (waiting[0] && waiting[0].box[1] < block.box[1] && !isBesideFrom(waiting[0], block)) placed.push(...solidDrafts(waiting.shift(), solids, column))
    placed.push(block)
  }
  for (const piece of waiting) placed.push(...solidDrafts(piece, solids, column))
  return placed
}

/** The solid's top is level with the block's first line, next to it. */
const isBesideFrom = (piece: Piece, block: DraftBlock): boolean =>
  overlapY(piece.box, block.box) > 0 && overlapX(piece.box, block.box) <= 0 && block.box[1] - piece.box[1] < 1.5 * piece.em

function solidDrafts(piece: Piece | undefined, solids: readonly Solid[], column: DraftBlock['column']): DraftBlock[] {
  const solid = piece?.solid === undefined ? undefined : solids[piece.solid]
  if (!piece || !solid) return []
  const base = { lines: [], box: piece.box, column, whiteAbove: Infinity, whiteBelow: Infinity, endsColumn: false, area: solid.box, flags: [] }
  switch (solid.kind) {
    case 'table':
      return [{ ...base, kind: 'table', table: solid.table.table, angle: solid.table.angle }]
    case 'figure':
      return [{ ...base, kind: solid.figure.kind, labels: solid.labels }]
    case 'turned':
      return solid.blocks.map((b) => ({ ...b, column: piece.box, box: piece.box }))
  }
}

function withWhite(blocks: readonly DraftBlock[]): DraftBlock[] {
  return blocks.map((block, i) => {
    const before = blocks[i - 1]
    const after = blocks[i + 1]
    return {
      ...block,
      whiteAbove: before ? block.box[1] - before.box[3] : Infinity,
      whiteBelow: after ? after.box[1] - block.box[3] : Infinity,
      endsColumn: after === undefined,
    }
  })
}
