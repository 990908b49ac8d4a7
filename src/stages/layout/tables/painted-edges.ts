import type { Fill } from '../../../schema/text-layer.ts'
import type { Segment } from './segments.ts'

interface Edges {
  readonly horizontal: Segment[]
  readonly vertical: Segment[]
}

/** Areas of one colour this close are one painted area: cells are often painted in parts (padding and content). */
const touching = 0.75
/** More painted areas than this are a picture; comparing them pairwise would take too long. */
const mostAreas = 1500
/** Smaller areas are dots and marks. */
const [leastWidth, leastHeight] = [8, 4]

/**
 * Borders of painted areas, as soft pieces, and of outlined rectangles, as drawn ones. Where an area touches another
 * of its colour there is no border to see; white paint on a white page has none either.
 *
 * @param largest areas above this (square points) are backgrounds.
 */
export function paintedEdges(fills: readonly Fill[], largest: number): Edges {
  const edges: Edges = { horizontal: [], vertical: [] }
  const byColor = new Map<string, Fill[]>()
  for (const fill of fills) {
    const [x0, y0, x1, y1] = fill.box
    if (x1 - x0 < 1 || y1 - y0 < 1 || (x1 - x0) * (y1 - y0) > largest) continue
    if (fill.stroked && x1 - x0 >= leastWidth && y1 - y0 >= leastHeight) addBox(edges, fill)
    else if (fill.color !== undefined && !isWhite(fill.color)) byColor.set(fill.color, [...(byColor.get(fill.color) ?? []), fill])
  }
  for (const areas of byColor.values()) {
    if (areas.length > mostAreas) continue
    areas.sort((a, b) => a.box[1] - b.box[1])
    for (const area of areas) addSeenEdges(edges, area, areas)
  }
  return edges
}

function addBox(edges: Edges, { box: [x0, y0, x1, y1] }: Fill): void {
  const drawn = { thickness: 0.5, soft: false }
  edges.horizontal.push({ at: y0, from: x0, to: x1, ...drawn }, { at: y1, from: x0, to: x1, ...drawn })
  edges.vertical.push({ at: x0, from: y0, to: y1, ...drawn }, { at: x1, from: y0, to: y1, ...drawn })
}

function addSeenEdges(edges: Edges, area: Fill, areas: readonly Fill[]): void {
  const [x0, y0, x1, y1] = area.box
  const hidden: [number, number][][] = [[], [], [], []]
  for (const other of areas) {
    const [a0, b0, a1, b1] = other.box
    if (b0 > y1 + touching) break
    if (other === area || b1 < y0 - touching || a0 > x1 + touching || a1 < x0 - touching) continue
    if (b0 < y0 - touching / 2 && b1 >= y0 - touching) hidden[0]?.push([a0, a1])
    if (b1 > y1 + touching / 2 && b0 <= y1 + touching) hidden[1]?.push([a0, a1])
    if (a0 < x0 - touching / 2 && a1 >= x0 - touching) hidden[2]?.push([b0, b1])
    if (a1 > x1 + touching / 2 && a0 <= x1 + touching) hidden[3]?.push([b0, b1])
  }
  const soft = { thickness: 0, soft: true }
  for (const [from, to] of seen(x0, x1, hidden[0] ?? [])) edges.horizontal.push({ at: y0, from, to, ...soft })
  for (const [from, to] of seen(x0, x1, hidden[1] ?? [])) edges.horizontal.push({ at: y1, from, to, ...soft })
  for (const [from, to] of seen(y0, y1, hidden[2] ?? [])) edges.vertical.push({ at: x0, from, to, ...soft })
  for (const [from, to] of seen(y0, y1, hidden[3] ?? [])) edges.vertical.push({ at: x1, from, to, ...soft })
}

/** What is left of an interval when others are taken from it. */
function seen(from: number, to: number, hidden: readonly (readonly [number, number])[]): [number, number][] {
  const left: [number, number][] = []
  let at = from
  for (const [a, b] of [...hidden].sort((p, q) => p[0] - q[0])) {
    if (a - at > touching * 2) left.push([at, a])
    at = Math.max(at, b)
  }
  if (to - at > touching * 2) left.push([at, to])
  return left
}

/** White, or so near to it that the eye does not see it. */
const isWhite = (color: string): boolean => /^#f[c-f]f[c-f]f[c-f]$/i.test(color)
