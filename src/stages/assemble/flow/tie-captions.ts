import { height, overlapX, overlapY, width } from '../../../geometry/box.ts'
import type { BlockKind } from '../../../schema/block-kind.ts'
import type { Box } from '../../../schema/geometry.ts'
import { captionLabel } from '../../../text/caption.ts'
import { type Draft, isByModel, isHidden } from './draft.ts'

/** What has captions, and notes of its own. */
export const captioned: ReadonlySet<BlockKind> = new Set(['figure', 'chart', 'table', 'code', 'algorithm', 'formula'])
/** A caption or note farther from a body than this part of the page belongs to something else. */
export const maxDistance = 0.15

/** What the label of a caption says it belongs to. Figures and charts are one: who draws the line between them is arbitrary. */
const wanted: Record<string, ReadonlySet<BlockKind>> = {
  figure: new Set(['figure', 'chart', 'table']),
  chart: new Set(['chart', 'figure']),
  table: new Set(['table', 'figure']),
  code: new Set(['code', 'algorithm']),
  algorithm: new Set(['algorithm', 'code', 'figure']),
  formula: new Set(['formula']),
}

/**
 * Ties the captions of one page to what they belong to: the kind that their label names first, then the nearest
 * body in the same column with nothing between. Every body gets at most one labelled caption, nearest pairs first.
 */
export function tieCaptions(drafts: readonly Draft[]): void {
  const bodies = drafts.filter((d) => captioned.has(d.kind) && !isHidden(d))
  const captions = drafts.filter((d) => d.kind === 'caption' && !isHidden(d))
  const loose = captions.filter((caption) => !bodies.some((body) => body.origin.id === caption.parent))
  for (const caption of captions) if (!loose.includes(caption)) tie(caption, caption.parent, drafts)
  const taken = new Map<Draft, string | undefined>()
  for (const body of bodies) if (drafts.some((d) => d.parent === body.origin.id)) taken.set(body, undefined)
  for (const caption of loose) caption.parent = undefined
  const pairs = loose.flatMap((caption) => pairsOf(caption, bodies)).sort((a, b) => a.cost - b.cost)
  for (const { caption, body, number } of pairs) {
    // A body may have its caption in a second language: the same number.
    const isSecond = taken.has(body) && !(isByModel(caption.origin) && taken.get(body) === number)
    if (caption.parent !== undefined || (number !== undefined && isSecond)) continue
    tie(caption, body.origin.id, drafts)
    if (number !== undefined) taken.set(body, number)
  }
  for (const body of bodies) describeFigure(body, drafts)
}

interface Pair {
  readonly caption: Draft
  readonly body: Draft
  readonly cost: number
  /** Of its label. */
  readonly number: string | undefined
}

/** The bodies that a caption may belong to. */
function pairsOf(caption: Draft, bodies: readonly Draft[]): Pair[] {
  const label = captionLabel(caption.text)
  const kinds = label ? wanted[label.of] : undefined
  return bodies
    .filter((body) => !kinds || kinds.has(body.kind))
    .map((body) => {
      const firstChoice = !label || label.of === body.kind || (label.of === 'figure' && body.kind === 'chart')
      const cost = gap(caption.origin.box, body.origin.box) + (firstChoice ? 0 : maxDistance) + habit(caption, body)
      return { caption, body, cost, number: label?.number }
    })
    .filter(({ body }) => gap(caption.origin.box, body.origin.box) <= maxDistance)
}

/** Where two bodies are equally near: a table's caption stands above it, a figure's below. */
function habit(caption: Draft, body: Draft): number {
  const above = caption.origin.box[3] <= (body.origin.box[1] + body.origin.box[3]) / 2
  return above === (body.kind === 'table' || body.kind === 'algorithm' || body.kind === 'code') ? 0 : 0.012
}

function tie(caption: Draft, parent: string | undefined, drafts: readonly Draft[]): void {
  caption.parent = parent
  const body = drafts.find((d) => d.origin.id === parent)
  if (body && drafts.indexOf(caption) > drafts.indexOf(body)) body.tiedAfter++
}

/** A figure without a description of its own is described by its caption. */
function describeFigure(body: Draft, drafts: readonly Draft[]): void {
  if (body.origin.image?.alt !== '') return
  const caption = drafts.find((d) => d.kind === 'caption' && d.parent === body.origin.id)
  if (caption) body.alt = caption.text.replace(/\s+/g, ' ').trim().slice(0, 300)
}

/** Distance of two boxes, larger when they do not stand above each other: captions share their body's column. */
export function gap(a: Box, b: Box): number {
  const x = Math.max(0, Math.max(a[0], b[0]) - Math.min(a[2], b[2]))
  const y = Math.max(0, Math.max(a[1], b[1]) - Math.min(a[3], b[3]))
  const aligned = overlapX(a, b) >= Math.min(width(a), width(b)) * 0.3 || overlapY(a, b) >= Math.min(height(a), height(b)) * 0.5
  return x + y + (aligned ? 0 : 0.08)
}
