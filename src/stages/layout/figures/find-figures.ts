import { area, centerX, centerY, contains, coverage, height, intersection, overlap, union, width } from '../../../geometry/box.ts'
import type { PointBox } from '../../../schema/text-layer.ts'
import type { Atom, PageGeometry } from '../page-geometry.ts'

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
/** What fills the page is paper or the scan that is being read. */
const pageShare = 0.8
/** Parts looked at, for a page made to be slow. */
const maxParts = 600

/**
 * Figures of a page: pictures and clusters of drawing that lie near each other, with the small labels inside them.
 * A picture behind running text is a background; one full of lines to be read is part of a scan. Neither is a figure.
 *
 * @param free which atoms may become labels.
 * @param taken boxes of tables.
 */
export function findFigures(page: PageGeometry, free: (atom: number) => boolean, taken: readonly PointBox[]): FoundFigure[] {
  const pageArea = page.width * page.height
  const seeds = [...page.pictures.map((p) => ({ box: p.box, picture: true })), ...page.drawings.map((box) => ({ box, picture: false }))]
    .map((seed) => ({ ...seed, box: clip(seed.box, page) }))
    .filter(({ box }) => area(box) > 0 && area(box) < pageShare * pageArea && Math.max(width(box), height(box)) >= 4)
    .slice(0, maxParts)
  return mergeNear(seeds, page)
    .filter(({ box }) => Math.min(width(box), height(box)) >= smallestSide && area(box) >= smallestArea)
    .filter(({ box }) => !taken.some((table) => coverage(box, table) > 0.6 || coverage(table, box) > 0.6))
    .flatMap((cluster) => asFigure(cluster, page, free))
}

interface Cluster {
  box: PointBox
  picture: boolean
  parts: number
}

const clip = (box: PointBox, page: PageGeometry): PointBox => [
  Math.max(0, box[0]),
  Math.max(0, box[1]),
  Math.min(page.width, box[2]),
  Math.min(page.height, box[3]),
]

/** Parts whose boxes meet, or nearly so, are one figure. Two large pictures side by side stay two. */
function mergeNear(seeds: readonly { box: PointBox; picture: boolean }[], page: PageGeometry): Cluster[] {
  let clusters: Cluster[] = seeds.map(({ box, picture }) => ({ box, picture, parts: 1 }))
  for (let round = 0; round < 6; round++) {
    const merged: Cluster[] = []
    for (const cluster of clusters.sort((a, b) => a.box[1] - b.box[1])) {
      const near = merged.find((other) => isNear(other, cluster, page))
      if (near) {
        near.box = union(near.box, cluster.box)
        near.picture ||= cluster.picture
        near.parts += cluster.parts
      } else merged.push({ ...cluster })
    }
    if (merged.length === clusters.length) return merged
    clusters = merged
  }
  return clusters
}

function isNear(a: Cluster, b: Cluster, page: PageGeometry): boolean {
  const reach = a.picture && b.picture ? 2 : 9
  const dx = Math.max(a.box[0], b.box[0]) - Math.min(a.box[2], b.box[2])
  const dy = Math.max(a.box[1], b.box[1]) - Math.min(a.box[3], b.box[3])
  if (dx > reach || dy > reach) return false
  if (intersection(a.box, b.box) > 0) return true
  // Text between two parts keeps them apart.
  const between: PointBox = [Math.max(a.box[0], b.box[0]), Math.min(a.box[3], b.box[3]), Math.min(a.box[2], b.box[2]), Math.max(a.box[1], b.box[1])]
  return !page.atoms.some((atom) => atom.words && contains(between, centerX(atom.box), centerY(atom.box)))
}

function asFigure(cluster: Cluster, page: PageGeometry, free: (atom: number) => boolean): FoundFigure[] {
  const inside: number[] = []
  let [box, textArea, longest, regionArea] = [cluster.box, 0, 0, 0]
  for (const [i, atom] of page.atoms.entries()) {
    if (!free(i) || !contains(cluster.box, centerX(atom.box), centerY(atom.box))) continue
    if (coverage(atom.box, cluster.box) < 0.5) continue
    inside.push(i)
    const share = intersection(atom.box, cluster.box)
    textArea += share
    if (atom.region !== undefined) regionArea += share
    longest = Math.max(longest, width(atom.box))
  }
  const whole = area(cluster.box)
  // Running text on a background, or a scanned part of the page that is to be read.
  const isText = inside.length > 2 && (textArea > 0.3 * whole || countLong(inside, page, cluster.box) > 4) && longest > 0.5 * width(cluster.box)
  const isScan = regionArea > 0.12 * whole && inside.length > 1
  if (isText || isScan) return []
  // A flat thing across the page with hardly any height is an ornament under or around a heading.
  if (!cluster.picture && height(cluster.box) < 30 && width(cluster.box) > 8 * height(cluster.box)) return []
  for (const i of inside) box = union(box, page.atoms[i]?.box ?? box)
  const near = nearbyLabels(page, box, free, new Set(inside))
  for (const i of near) box = union(box, page.atoms[i]?.box ?? box)
  return [{ kind: isChart(cluster, page, [...inside, ...near]) ? 'chart' : 'figure', box, labels: [...inside, ...near] }]
}

/** Lines that go nearly across. */
const countLong = (atoms: readonly number[], page: PageGeometry, box: PointBox): number =>
  atoms.filter((i) => {
    const atom = page.atoms[i]
    return atom && width(atom.box) > 0.6 * width(box) && atom.text.length > 20
  }).length

/** Ticks and axis names stand just outside a drawing: short and at its very edge, numbers above all. */
function nearbyLabels(page: PageGeometry, box: PointBox, free: (atom: number) => boolean, inside: ReadonlySet<number>): number[] {
  if (inside.size === 0) return []
  const labels: number[] = []
  for (const [i, atom] of page.atoms.entries()) {
    if (!free(i) || inside.has(i) || !atom.words) continue
    const reach = 1.1 * atom.sizePt
    const dx = Math.max(box[0], atom.box[0]) - Math.min(box[2], atom.box[2])
    const dy = Math.max(box[1], atom.box[1]) - Math.min(box[3], atom.box[3])
    if (dx > reach || dy > reach) continue
    if (isTick(atom)) labels.push(i)
  }
  return labels
}

const isTick = (atom: Atom): boolean => atom.text.length <= 12 && /^[-−+]?[\d.,]+\s?(?:%|[kKM])?$/.test(atom.text.trim())

/** A chart has an axis: several numbers in a row or column along straight lines of a drawing. */
function isChart(cluster: Cluster, page: PageGeometry, labels: readonly number[]): boolean {
  if (cluster.picture) return false
  const ticks = labels.map((i) => page.atoms[i]).filter((a): a is Atom => a !== undefined && isTick(a))
  if (ticks.length < 4) return false
  const aligned = (of: (a: Atom) => number) => ticks.some((t) => ticks.filter((o) => Math.abs(of(o) - of(t)) < 2).length >= 3)
  const hasRule = page.rules.some((r) =>
    r.direction === 'horizontal'
      ? overlap(r.from, r.to, cluster.box[0], cluster.box[2]) > 0.4 * width(cluster.box) && r.at >= cluster.box[1] - 3 && r.at <= cluster.box[3] + 3
      : overlap(r.from, r.to, cluster.box[1], cluster.box[3]) > 0.4 * height(cluster.box) && r.at >= cluster.box[0] - 3 && r.at <= cluster.box[2] + 3,
  )
  return hasRule || aligned((a) => a.box[2]) || aligned((a) => a.baseline)
}
