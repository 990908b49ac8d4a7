import type { PointBox } from '../../../schema/text-layer.ts'
import { paintedEdges } from './painted-edges.ts'
import type { TableView, ViewAtom } from './table-view.ts'

/** A straight piece that may separate cells. `at` is y of a horizontal, x of a vertical one. Points. */
export interface Segment {
  readonly at: number
  readonly from: number
  readonly to: number
  readonly thickness: number
  /** Only the edge of a painted area, not a drawn line. */
  readonly soft: boolean
}

export interface Segments {
  readonly horizontal: readonly Segment[]
  readonly vertical: readonly Segment[]
}

const shortest = 3
/** Pieces of one drawn line may be apart by this much and shifted by this much. */
const joinGap = 2.5
const joinShift = 1
/** More pieces than this are a drawing, not a table: the pairwise search would not end in time. */
const mostPieces = 20_000

/** All pieces of a page that may border cells: ruling lines and the edges of painted or outlined cells. Collinear pieces are joined. */
export function collectSegments(view: TableView): Segments {
  const horizontal: Segment[] = []
  const vertical: Segment[] = []
  for (const rule of view.rules.slice(0, mostPieces)) {
    if (rule.to - rule.from < shortest) continue
    const piece = { at: rule.at, from: rule.from, to: rule.to, thickness: rule.thickness, soft: false }
    if (rule.direction === 'horizontal') horizontal.push(piece)
    else vertical.push(piece)
  }
  for (const [x0, y0, x1, y1] of view.drawings) {
    // A drawing without height or width is a line, however it was drawn.
    if (y1 - y0 < 2 && x1 - x0 > 10) horizontal.push({ at: (y0 + y1) / 2, from: x0, to: x1, thickness: y1 - y0, soft: false })
    else if (x1 - x0 < 2 && y1 - y0 > 10) vertical.push({ at: (x0 + x1) / 2, from: y0, to: y1, thickness: x1 - x0, soft: false })
  }
  const painted = paintedEdges(view.fills, view.width * view.height * 0.7)
  horizontal.push(...painted.horizontal)
  vertical.push(...painted.vertical)
  const upright = joinCollinear(vertical)
  const flat = withoutTextLines(view, joinCollinear(horizontal), upright)
  return { horizontal: withoutAxes(flat, upright), vertical: withoutAxes(upright, flat) }
}

/** Joins pieces of one line; drawn and soft pieces join to a drawn one only along the drawn part. */
export function joinCollinear(pieces: readonly Segment[]): Segment[] {
  const sorted = [...pieces].sort((a, b) => a.at - b.at)
  const joined: Segment[] = []
  let start = 0
  while (start < sorted.length) {
    const first = sorted[start]?.at ?? 0
    let end = start
    while (end < sorted.length && (sorted[end]?.at ?? 0) - first <= joinShift) end++
    const group = sorted.slice(start, end).sort((a, b) => a.from - b.from)
    joined.push(...joinAlong(group.filter((s) => !s.soft)), ...joinAlong(group.filter((s) => s.soft)))
    start = end
  }
  return joined
}

function joinAlong(group: readonly Segment[]): Segment[] {
  const joined: Segment[] = []
  let open: { at: number; from: number; to: number; thickness: number; soft: boolean; weight: number } | undefined
  for (const piece of group) {
    const length = piece.to - piece.from
    if (open && piece.from - open.to <= joinGap) {
      open.at = (open.at * open.weight + piece.at * length) / (open.weight + length)
      open.weight += length
      open.to = Math.max(open.to, piece.to)
      open.thickness = Math.max(open.thickness, piece.thickness)
    } else {
      if (open) joined.push(open)
      open = { ...piece, weight: length }
    }
  }
  if (open) joined.push(open)
  return joined
}

/**
 * Drops underlines and strike-through: a line that runs along one atom, no further than it, and meets no upright line.
 * The border of a row is as long as the row, not as its writing.
 */
function withoutTextLines(view: TableView, pieces: readonly Segment[], vertical: readonly Segment[]): Segment[] {
  if (pieces.length === 0) return []
  const bands = new Map<number, ViewAtom[]>()
  for (const atom of view.atoms) {
    if (!atom.own) continue
    const band = Math.round(atom.baseline / bandPt)
    bands.set(band, [...(bands.get(band) ?? []), atom])
  }
  const runsAlong = (piece: Segment, atom: ViewAtom) => {
    const below = piece.at - atom.baseline
    const along = piece.from >= atom.box[0] - 2 && piece.to <= atom.box[2] + 2
    return along && below > -0.75 * atom.sizePt && below < 0.35 * atom.sizePt
  }
  return pieces.filter((piece) => {
    if (piece.soft) return true
    const band = Math.round(piece.at / bandPt)
    const near = [-1, 0, 1].flatMap((step) => bands.get(band + step) ?? [])
    return !near.some((atom) => runsAlong(piece, atom)) || meetsUpright(piece, vertical)
  })
}

/** Atoms are sought by bands of this height around a line. */
const bandPt = 24

const meetsUpright = (piece: Segment, vertical: readonly Segment[]): boolean =>
  vertical.some((v) => v.at > piece.from - 3 && v.at < piece.to + 3 && piece.at > v.from - 3 && piece.at < v.to + 3)

/** Longest tick of an axis, in points. */
const longestTick = 14
const mostTicks = 1000

/** Drops axes: lines that several short ones cross or touch, which meet no other line. */
function withoutAxes(lines: readonly Segment[], crossing: readonly Segment[]): Segment[] {
  const ticks = crossing.filter((tick) => !tick.soft && tick.to - tick.from <= longestTick)
  // So many short lines are a drawing, not the ticks of some axes.
  if (ticks.length < 3 || ticks.length > mostTicks) return [...lines]
  return lines.filter((line) => {
    if (line.soft) return true
    const own = ticks.filter((tick) => tick.at > line.from - 2 && tick.at < line.to + 2 && tick.from < line.at + 1 && tick.to > line.at - 1)
    return own.filter((tick) => !lines.some((other) => other !== line && touches(tick, other))).length < 3
  })
}

const touches = (tick: Segment, line: Segment): boolean => tick.at > line.from - 2 && tick.at < line.to + 2 && line.at > tick.from - 2 && line.at < tick.to + 2

/** The pieces that lie in a box, within `slack` points. */
export function segmentsIn(segments: Segments, box: PointBox, slack: number): Segments {
  const [x0, y0, x1, y1] = box
  return {
    horizontal: segments.horizontal.filter((s) => s.at >= y0 - slack && s.at <= y1 + slack && s.to > x0 + slack && s.from < x1 - slack),
    vertical: segments.vertical.filter((s) => s.at >= x0 - slack && s.at <= x1 + slack && s.to > y0 + slack && s.from < y1 - slack),
  }
}
