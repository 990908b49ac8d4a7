import { unionAll } from '../../geometry/box.ts'
import type { LayoutBlock } from '../../schema/page.ts'
import { isRightToLeft } from '../../text/script.ts'
import type { GatedPage } from '../stage-values.ts'
import { buildGeometry } from './atoms/build-geometry.ts'
import { isSlanted, readingTurn } from './atoms/reading-turn.ts'
import { bodyLook } from './body-look.ts'
import type { DraftBlock } from './draft-block.ts'
import { placeFields } from './fields/place-fields.ts'
import { findFigures } from './figures/find-figures.ts'
import { finishBlocks } from './finish-blocks.ts'
import { type Frame, framedDividers, framedPiece, mainTurn, makeFrame } from './frame.ts'
import { freeAtoms } from './free-atoms.ts'
import { decideKinds } from './kinds/decide-kinds.ts'
import { joinStackedRows, markMarginRow } from './kinds/furniture.ts'
import type { PageContext } from './kinds/page-context.ts'
import { groupLines } from './lines/group-lines.ts'
import { marginGroups } from './order/margin-groups.ts'
import { takeMarginRows } from './order/margin-rows.ts'
import { takeMarginStrip } from './order/margin-strip.ts'
import { byTop, type Piece } from './order/piece.ts'
import { xyCut } from './order/xy-cut.ts'
import type { Atom, PageGeometry } from './page-geometry.ts'
import { partBlocks, textDraft } from './part-blocks.ts'
import type { Solid } from './solids.ts'
import { findTables } from './tables/find-tables.ts'
import { layoutByTags } from './tags/layout-by-tags.ts'
import { tagGroups } from './tags/tag-groups.ts'
import { trustTags } from './tags/trust-tags.ts'
import { layTurnedWriting } from './turned-writing.ts'

/**
 * Blocks of a page in reading order, from geometry alone. Every word that is not replaced by writing read from the
 * picture ends in exactly one block or table cell.
 */
export function layoutPage(input: GatedPage): LayoutBlock[] {
  const { page, hidden } = buildGeometry(input)
  const { solids, atoms } = findSolids(page)
  const frame = makeFrame(page, mainTurn(atoms))
  const context: PageContext = {
    page,
    body: bodyLook(page),
    pageIndex: input.page.pageIndex,
    pageCount: input.page.pageCount,
    width: frame.width,
    height: frame.height,
  }
  const isMain = (atom: Atom) => !isSlanted(atom.angle) && readingTurn(atom.angle, atom.vertical) === frame.turn
  const turned = layTurnedWriting(
    atoms.filter((a) => !isMain(a)),
    context,
  )
  // A stamp along the edge or across the page stands in no column: it comes after them.
  const stamps = turned.filter((solid) => solid.blocks.every((b) => b.kind === 'aside'))
  const all: readonly Solid[] = [...solids, ...turned.filter((solid) => !stamps.includes(solid))]
  const drafts = placeFields(layoutByGeometry(atoms.filter(isMain), all, frame, context), page, frame)
  return finishBlocks([...drafts, ...stamps.flatMap((s) => s.blocks), ...hiddenBlocks(hidden, context)], page, input.verdict.regions)
}

function findSolids(page: PageGeometry): { solids: Solid[]; atoms: Atom[] } {
  const tables = findTables(page)
  const free = freeAtoms(page, tables)
  const rest: PageGeometry = { ...page, atoms: free }
  const figures = findFigures(
    rest,
    tables.map((t) => t.box),
  )
  const labels = new Set<number>()
  const solids: Solid[] = tables.map((table) => ({ kind: 'table', box: table.box, table }))
  for (const figure of figures) {
    const own = figure.labels.filter((i) => !labels.has(i))
    for (const i of own) labels.add(i)
    solids.push({ kind: 'figure', box: figure.box, figure, labels: own.flatMap((i) => free[i] ?? []) })
  }
  return { solids, atoms: free.filter((_, i) => !labels.has(i)) }
}

function layoutByGeometry(atoms: readonly Atom[], solids: readonly Solid[], frame: Frame, context: PageContext): DraftBlock[] {
  const pieces: Piece[] = atoms.map((atom, i) => framedPiece(atom, frame, atom.region === undefined ? i : -1))
  for (const [i, solid] of solids.entries()) {
    const box = frame.box(solid.box)
    pieces.push({ box, baseline: box[3], em: context.body.sizePt, rank: -1, solid: i })
  }
  const rows = takeMarginRows(pieces.sort(byTop), frame.height, context.body.sizePt)
  const rightToLeft = frame.turn === 0 && isRightToLeft(sampleText(atoms))
  const { strip, rest } = takeMarginStrip(rows.body, frame.height)
  const parts = xyCut(rest, {
    rightToLeft,
    dividers: framedDividers(
      context.page,
      frame,
      solids.map((s) => frame.box(s.box)),
    ),
  })
  const head = joinStackedRows(rows.head.map((row) => marginBlocks(row, 'head', context)))
  const foot = rows.foot.flatMap((row) => marginBlocks(row, 'foot', context))
  const body = parts.flatMap((part) => partBlocks(part, solids, context))
  const aside = strip.length > 0 ? [{ ...textDraft(groupLines(strip, context.page), unionAll(strip.map((p) => p.box))), kind: 'aside' as const }] : []
  const drafts = decideKinds(byTags([...head, ...body, ...foot, ...aside], frame, context), context)
  if (frame.turn === 0) return drafts
  // Vertical columns are upright writing; lines that run down or up the page carry their angle.
  return drafts.map((draft) => {
    const first = draft.lines[0]?.atoms[0]
    if (!first) return draft
    return Object.assign(draft, first.vertical ? { vertical: true } : { angle: draft.angle ?? Math.round(first.angle) })
  })
}

/** The blocks that the tags of the page make of it, where they are to be believed. */
function byTags(drafts: readonly DraftBlock[], frame: Frame, context: PageContext): readonly DraftBlock[] {
  const tags = tagGroups(context.page.tags, context.page.words)
  if (!tags) return drafts
  const trust = trustTags(tags, drafts, context.page)
  const blocks = trust.blocks ? layoutByTags(drafts, tags, trust, frame, context) : drafts
  addAlts(blocks, tags.alts)
  return blocks
}

/** Alternative texts go to the figures in turn when there are as many as figures: the tree does not say where they stand. */
function addAlts(drafts: readonly DraftBlock[], alts: readonly string[]): void {
  const figures = drafts.filter((d) => d.kind === 'figure' || d.kind === 'chart')
  if (figures.length !== alts.length) return
  for (const [i, figure] of figures.entries()) if (alts[i]) figure.alt = alts[i]
}

/** The beginnings of lines all over the page. */
function sampleText(atoms: readonly Atom[]): string {
  const step = Math.max(1, Math.floor(atoms.length / 100))
  let text = ''
  for (let i = 0; i < atoms.length; i += step) text += (atoms[i]?.text ?? '').slice(0, 20)
  return text
}

/** Parts of a row far from each other are blocks of their own: a title at the left, a page number at the right. */
function marginBlocks(row: readonly Piece[], place: 'head' | 'foot', context: PageContext): DraftBlock[] {
  const column = [0, 0, context.width, context.height] as const
  const blocks = marginGroups(row, context.page).flatMap((group) => groupLines(group, context.page).map((line) => textDraft([line], column)))
  markMarginRow(blocks, place, context)
  return blocks
}

/** Writing that a reader of the page cannot see, kept apart at the end. */
function hiddenBlocks(atoms: readonly Atom[], context: PageContext): DraftBlock[] {
  if (atoms.length === 0) return []
  const frame = makeFrame(context.page, 0)
  const pieces = atoms.map((atom, i) => framedPiece(atom, frame, i)).sort(byTop)
  const column = [0, 0, context.width, context.height] as const
  return partBlocks({ pieces, column }, [], context).map((block) => ({ ...block, flags: ['hidden-text'] }))
}
