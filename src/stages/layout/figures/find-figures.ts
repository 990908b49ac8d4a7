import { area, centerX, centerY, contains, coverage, height, intersection, overlap, union, width } from '../../../geometry/box.ts'
import type { PointBox } from '../../../schema/text-layer.ts'
import type { Atom, PageGeometry } from '../page-geometry.ts'
import { type Cluster, clusterParts } from './cluster-parts.ts'
import { proseAtoms } from './prose.ts'
import { isTick, rimLabels } from './rim-labels.ts'
import { addStraightParts } from './straight-parts.ts'

/** A picture or drawing with the labels that stand in it. */
export interface FoundFigure {
  readonly kind: 'figure' | 'chart'
  readonly box: PointBox
  /** Indices of atoms. */
  readonly labels: readonly number[]
}

/** Smaller things are bullets, icons in the text or strokes of a letter. In points. */
const smallestSide = 14
const smallestArea = 700

/**
 * Figures of a page: pictures and clusters of drawing that lie near each other, with the small labels inside them.
 * A picture behind running text is a background; one full of lines to be read is part of a scan. Neither is a figure.
 *
 * @param taken boxes of tables.
 */
export function findFigures(page: PageGeometry, taken: readonly PointBox[]): FoundFigure[] {
  if (page.pictures.length === 0 && page.drawings.length === 0) return []
  const prose = proseAtoms(page)
  const clusters = clusterParts(page, prose)
  addStraightParts(clusters, page, taken)
  return withoutInner(clusters)
    .filter(({ box }) => Math.min(width(box), height(box)) >= smallestSide && area(box) >= smallestArea)
    .filter(({ box }) => !taken.some((table) => coverage(box, table) > 0.6 || coverage(table, box) > 0.6))
    .flatMap((cluster) => asFigure(cluster, page, prose))
}

/** A drawing that has grown over another one takes it in. */
const withoutInner = (clusters: readonly Cluster[]): Cluster[] =>
  clusters.filter((c) => !clusters.some((o) => o !== c && !o.picture && area(o.box) > area(c.box) && coverage(c.box, o.box) > 0.9))

function asFigure(cluster: Cluster, page: PageGeometry, prose: ReadonlySet<number>): FoundFigure[] {
  const found = atomsInside(cluster, page, prose)
  const whole = area(cluster.box)
  // Running text on a background, or a scanned part of the page that is to be read.
  if (found.prose > 2 && found.proseArea > 0.25 * whole) return []
  if (found.labels.length > 2 && found.labelArea > 0.4 * whole) return []
  if (found.regionArea > 0.12 * whole && found.labels.length > 1) return []
  // A flat thing across the page with hardly any height is an ornament under or around a heading.
  if (!cluster.picture && height(cluster.box) < 30 && width(cluster.box) > 8 * height(cluster.box)) return []
  let box = clearOfProse(cluster.box, page, prose)
  if (!box) return []
  const inner = box
  const inside = found.labels.filter((i) => isWithin(page.atoms[i], inner))
  for (const i of inside) box = union(box, page.atoms[i]?.box ?? box)
  const near = cluster.picture && inside.length === 0 ? [] : rimLabels(page, box, new Set(inside), prose)
  for (const i of near) box = union(box, page.atoms[i]?.box ?? box)
  const labels = [...inside, ...near]
  return [{ kind: isChart(cluster, page, labels) ? 'chart' : 'figure', box, labels }]
}

const isWithin = (atom: Atom | undefined, box: PointBox): boolean => atom !== undefined && contains(box, centerX(atom.box), centerY(atom.box))

function atomsInside(cluster: Cluster, page: PageGeometry, prose: ReadonlySet<number>) {
  const found = { labels: [] as number[], labelArea: 0, regionArea: 0, prose: 0, proseArea: 0 }
  for (const [i, atom] of page.atoms.entries()) {
    if (!isWithin(atom, cluster.box)) continue
    const share = intersection(atom.box, cluster.box)
    if (prose.has(i)) {
      found.prose++
      found.proseArea += share
    } else if (coverage(atom.box, cluster.box) >= 0.5) {
      found.labels.push(i)
      found.labelArea += share
      if (atom.region !== undefined) found.regionArea += share
    }
  }
  return found
}

/** Draws the box in from a side where running text lies over its margin; undefined when little would be left. */
function clearOfProse(box: PointBox, page: PageGeometry, prose: ReadonlySet<number>): PointBox | undefined {
  let [x0, y0, x1, y1] = box
  for (const i of prose) {
    const line = page.atoms[i]?.box
    if (!line || intersection(line, [x0, y0, x1, y1]) <= 0) continue
    const cuts = [line[2] - x0, line[3] - y0, x1 - line[0], y1 - line[1]]
    const least = Math.min(...cuts)
    if (least === cuts[0]) x0 = line[2]
    else if (least === cuts[1]) y0 = line[3]
    else if (least === cuts[2]) x1 = line[0]
    else y1 = line[1]
  }
  const clear: PointBox = [x0, y0, x1, y1]
  return x1 > x0 && y1 > y0 && area(clear) > 0.3 * area(box) ? clear : undefined
}

/** A chart has an axis: several numbers in a row or column along a drawing. */
function isChart(cluster: Cluster, page: PageGeometry, labels: readonly number[]): boolean {
  if (cluster.picture) return false
  const ticks = labels.map((i) => page.atoms[i]).filter((a): a is Atom => a !== undefined && isTick(a))
  if (ticks.length < 4) return false
  return hasAxis(cluster.box, page) || isRow(ticks, (a) => a.box[2]) || isRow(ticks, (a) => a.baseline)
}

const isRow = (ticks: readonly Atom[], of: (a: Atom) => number): boolean =>
  ticks.slice(0, 50).some((t) => ticks.filter((o) => Math.abs(of(o) - of(t)) < 2).length >= 3)

function hasAxis(box: PointBox, page: PageGeometry): boolean {
  return page.rules.some((rule) => {
    const [along, across] = rule.direction === 'horizontal' ? ([0, 1] as const) : ([1, 0] as const)
    const length = overlap(rule.from, rule.to, box[along], box[along + 2] ?? 0)
    return length > 0.4 * ((box[along + 2] ?? 0) - box[along]) && rule.at >= box[across] - 3 && rule.at <= (box[across + 2] ?? 0) + 3
  })
}
