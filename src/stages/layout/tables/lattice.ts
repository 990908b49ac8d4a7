import type { PointBox } from '../../../schema/text-layer.ts'
import type { Segment, Segments } from './segments.ts'

/** Ruling lines that meet, snapped to a grid. */
export interface Lattice {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
  /** `flat[i * columns + j]`: there is a line at `ys[i]` over column j. */
  readonly flat: Uint8Array
  /** `upright[j * rows + i]`: there is a line at `xs[j]` beside row i. */
  readonly upright: Uint8Array
  /** Its pieces, for a table that needs white to tell its rows or columns. */
  readonly segments: Segments
  /** Share of the outer border that is drawn, 0..1. */
  readonly framed: number
}

/** Lines meet when they come this close, in points. */
const meetGap = 3
/** Doubled lines and the borders of neighbouring boxes lie this close. */
const doubledGap = 3.5
/** An edge of a cell counts as drawn when this share of it is. */
const drawnShare = 0.6
/** A bound on the pairwise search over hostile pages. */
const mostPairs = 4_000_000

export const latticeBox = (lattice: Lattice): PointBox => [lattice.xs[0] ?? 0, lattice.ys[0] ?? 0, lattice.xs.at(-1) ?? 0, lattice.ys.at(-1) ?? 0]

/**
 * Groups of lines that touch each other, each snapped to a grid. Groups without two lines of each direction (an open side
 * counts when several lines end there) are left out.
 *
 * @param textSize of the writing nearby: lines closer than half of it are one doubled line.
 */
export function findLattices(segments: Segments, textSize: (box: PointBox) => number): Lattice[] {
  const lattices: Lattice[] = []
  for (const group of connectedGroups(segments)) {
    const box = boundsOf(group)
    const tolerance = Math.min(doubledGap, Math.max(1.5, 0.45 * textSize(box)))
    const lattice = snap(group, box, tolerance)
    if (lattice) lattices.push(lattice)
  }
  return lattices
}

function connectedGroups({ horizontal, vertical }: Segments): Segments[] {
  if (horizontal.length < 1 || vertical.length < 1 || horizontal.length * vertical.length > mostPairs) return []
  const parent = new Int32Array(horizontal.length + vertical.length).map((_, i) => i)
  const find = (i: number): number => {
    let root = i
    while (parent[root] !== root) root = parent[root] ?? root
    while (parent[i] !== root) {
      const next = parent[i] ?? root
      parent[i] = root
      i = next
    }
    return root
  }
  const join = (a: number, b: number) => {
    parent[find(a)] = find(b)
  }
  for (const [i, h] of horizontal.entries()) {
    for (const [j, v] of vertical.entries()) {
      if (v.at > h.from - meetGap && v.at < h.to + meetGap && h.at > v.from - meetGap && h.at < v.to + meetGap) join(i, horizontal.length + j)
    }
  }
  joinDoubled(horizontal, 0, join)
  joinDoubled(vertical, horizontal.length, join)
  const groups = new Map<number, { horizontal: Segment[]; vertical: Segment[] }>()
  const groupOf = (i: number) => {
    const root = find(i)
    const group = groups.get(root) ?? { horizontal: [], vertical: [] }
    groups.set(root, group)
    return group
  }
  for (const [i, h] of horizontal.entries()) groupOf(i).horizontal.push(h)
  for (const [j, v] of vertical.entries()) groupOf(horizontal.length + j).vertical.push(v)
  return [...groups.values()].filter((g) => g.vertical.length > 0 && g.horizontal.length > 0)
}

/** Parallel lines side by side: boxes drawn cell by cell with a little space between them. */
function joinDoubled(lines: readonly Segment[], offset: number, join: (a: number, b: number) => void): void {
  const order = lines.map((_, i) => i).sort((a, b) => (lines[a]?.at ?? 0) - (lines[b]?.at ?? 0))
  for (const [k, a] of order.entries()) {
    const first = lines[a]
    if (!first) continue
    for (let next = k + 1; next < order.length && next < k + 200; next++) {
      const b = order[next] ?? a
      const second = lines[b]
      if (!second || second.at - first.at > doubledGap) break
      if (Math.min(first.to, second.to) - Math.max(first.from, second.from) > 1) join(offset + a, offset + b)
    }
  }
}

function boundsOf({ horizontal, vertical }: Segments): PointBox {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const h of horizontal) {
    x0 = Math.min(x0, h.from)
    x1 = Math.max(x1, h.to)
    y0 = Math.min(y0, h.at)
    y1 = Math.max(y1, h.at)
  }
  for (const v of vertical) {
    y0 = Math.min(y0, v.from)
    y1 = Math.max(y1, v.to)
    x0 = Math.min(x0, v.at)
    x1 = Math.max(x1, v.at)
  }
  return [x0, y0, x1, y1]
}

/** One border of the grid: a line, perhaps in pieces or doubled; `open` where nothing is drawn but other lines end. */
interface Border {
  readonly at: number
  /** By where they begin. */
  readonly pieces: readonly Segment[]
  readonly open: boolean
}

function snap(group: Segments, box: PointBox, tolerance: number): Lattice | undefined {
  let flats = openEnds(cluster(group.horizontal, tolerance), group.vertical, box[1], box[3])
  let uprights = openEnds(cluster(group.vertical, tolerance), group.horizontal, box[0], box[2])
  // Lines that border no cell go; that may take the border from another, so look again.
  for (let pass = 0; pass < 4; pass++) {
    const keptFlats = flats.filter((line) => line.open || bordersAny(line, uprights, tolerance))
    const keptUprights = uprights.filter((line) => line.open || bordersAny(line, keptFlats, tolerance))
    const settled = keptFlats.length === flats.length && keptUprights.length === uprights.length
    flats = keptFlats
    uprights = keptUprights
    if (settled) break
  }
  if (flats.length < 2 || uprights.length < 2) return undefined
  const rows = flats.length - 1
  const columns = uprights.length - 1
  const flat = edges(flats, uprights, tolerance)
  const upright = edges(uprights, flats, tolerance)
  return {
    xs: uprights.map((line) => line.at),
    ys: flats.map((line) => line.at),
    flat,
    upright,
    segments: group,
    framed: framedShare(flat, upright, flats, uprights, rows, columns),
  }
}

function cluster(lines: readonly Segment[], tolerance: number): Border[] {
  const sorted = [...lines].sort((a, b) => a.at - b.at)
  const borders: Border[] = []
  let start = 0
  for (let i = 1; i <= sorted.length; i++) {
    const far =
      i === sorted.length || (sorted[i]?.at ?? 0) - (sorted[i - 1]?.at ?? 0) > tolerance || (sorted[i]?.at ?? 0) - (sorted[start]?.at ?? 0) > 2 * tolerance
    if (!far) continue
    const pieces = sorted.slice(start, i).sort((a, b) => a.from - b.from)
    const drawn = pieces.filter((p) => !p.soft)
    const deciding = drawn.length > 0 ? drawn : pieces
    let sum = 0
    let weight = 0
    for (const piece of deciding) {
      sum += piece.at * (piece.to - piece.from)
      weight += piece.to - piece.from
    }
    borders.push({ at: weight > 0 ? sum / weight : (pieces[0]?.at ?? 0), pieces, open: false })
    start = i
  }
  return borders
}

/** Adds a border where several crossing lines end together beyond the last line: a table without side lines. */
function openEnds(borders: readonly Border[], crossing: readonly Segment[], low: number, high: number): Border[] {
  const all = [...borders]
  const beyond = 8
  const first = borders[0]?.at ?? high
  const last = borders.at(-1)?.at ?? low
  if (first - low > beyond && crossing.filter((c) => c.from < low + 6).length >= 2) all.unshift({ at: low, pieces: [], open: true })
  if (high - last > beyond && crossing.filter((c) => c.to > high - 6).length >= 2) all.push({ at: high, pieces: [], open: true })
  return all
}

function bordersAny(line: Border, across: readonly Border[], tolerance: number): boolean {
  for (let j = 0; j + 1 < across.length; j++) {
    if (isDrawn(line, across[j]?.at ?? 0, across[j + 1]?.at ?? 0, tolerance)) return true
  }
  return false
}

function edges(lines: readonly Border[], across: readonly Border[], tolerance: number): Uint8Array {
  const bands = across.length - 1
  const drawn = new Uint8Array(lines.length * bands)
  for (const [i, line] of lines.entries()) {
    for (let j = 0; j < bands; j++) {
      if (isDrawn(line, across[j]?.at ?? 0, across[j + 1]?.at ?? 0, tolerance)) drawn[i * bands + j] = 1
    }
  }
  return drawn
}

function isDrawn(line: Border, from: number, to: number, tolerance: number): boolean {
  if (line.open) return true
  const length = to - from
  let covered = 0
  // Doubled lines must not count twice: pieces are walked in order and only what is new is added.
  let reached = from
  for (const piece of line.pieces) {
    if (piece.from >= to) break
    const start = Math.max(reached, piece.from)
    const end = Math.min(to, piece.to)
    if (end > start) {
      covered += end - start
      reached = end
    }
  }
  return covered >= drawnShare * Math.max(length - tolerance, length / 2)
}

function framedShare(flat: Uint8Array, upright: Uint8Array, flats: readonly Border[], uprights: readonly Border[], rows: number, columns: number): number {
  const width = (uprights.at(-1)?.at ?? 0) - (uprights[0]?.at ?? 0)
  const height = (flats.at(-1)?.at ?? 0) - (flats[0]?.at ?? 0)
  let drawn = 0
  for (let j = 0; j < columns; j++) {
    const step = (uprights[j + 1]?.at ?? 0) - (uprights[j]?.at ?? 0)
    drawn += step * ((flat[j] ?? 0) + (flat[rows * columns + j] ?? 0))
  }
  for (let i = 0; i < rows; i++) {
    const step = (flats[i + 1]?.at ?? 0) - (flats[i]?.at ?? 0)
    drawn += step * ((upright[i] ?? 0) + (upright[columns * rows + i] ?? 0))
  }
  return drawn / Math.max(1, 2 * (width + height))
}
