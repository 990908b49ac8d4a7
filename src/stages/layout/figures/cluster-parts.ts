import { area, centerX, centerY, contains, coverage, height, intersection, union, width } from '../../../geometry/box.ts'
import type { PointBox } from '../../../schema/text-layer.ts'
import type { PageGeometry } from '../page-geometry.ts'

/** Pictures and drawings that belong together. */
export interface Cluster {
  box: PointBox
  picture: boolean
  framed: boolean
}

/** What fills the page is paper or the scan that is being read. */
const pageShare = 0.8
/** Parts looked at, for a page made to be slow. */
const maxParts = 600
const maxRounds = 6

/**
 * Joins the pictures and drawings of a page to figures: what one drawn frame holds, and what lies together without
 * running text between.
 */
export function clusterParts(page: PageGeometry, prose: ReadonlySet<number>): Cluster[] {
  const pageArea = page.width * page.height
  const seeds: Cluster[] = [
    ...page.pictures.map((p) => ({ box: clip(p.box, page), picture: true, framed: false })),
    ...page.drawings.map((box) => ({ box: clip(box, page), picture: false, framed: false })),
  ]
    .filter(({ box }) => area(box) > 0 && area(box) < pageShare * pageArea && Math.max(width(box), height(box)) >= 4)
    .slice(0, maxParts)
  const lines = [...prose].flatMap((i) => (page.atoms[i] ? [page.atoms[i].box] : []))
  return mergeNear(intoFrames(seeds, page, lines), page, lines)
}

const clip = (box: PointBox, page: PageGeometry): PointBox => [
  Math.max(0, box[0]),
  Math.max(0, box[1]),
  Math.min(page.width, box[2]),
  Math.min(page.height, box[3]),
]

/** A frame drawn round pictures makes them one figure and ends it, whatever transparent margins they have. */
function intoFrames(seeds: readonly Cluster[], page: PageGeometry, lines: readonly PointBox[]): Cluster[] {
  const frames = page.fills
    .filter((f) => f.stroked && width(f.box) > 60 && height(f.box) > 40 && area(f.box) < 0.7 * page.width * page.height)
    .map((f) => f.box)
    .filter((box) => lines.filter((line) => contains(box, centerX(line), centerY(line))).length < 3)
    .sort((a, b) => area(b) - area(a))
    .slice(0, 100)
  const framed = new Map<PointBox, Cluster>()
  const loose: Cluster[] = []
  for (const seed of seeds) {
    const frame = frames.find((f) => contains(f, centerX(seed.box), centerY(seed.box)) && coverage(seed.box, f) > 0.5)
    if (!frame) loose.push(seed)
    else if (area(seed.box) > 0.02 * area(frame)) framed.set(frame, { box: frame, picture: seed.picture || framed.get(frame)?.picture === true, framed: true })
  }
  const kept = [...framed.values()]
  return [...kept, ...loose.filter((seed) => !kept.some((f) => contains(f.box, centerX(seed.box), centerY(seed.box))))]
}

/** Parts whose boxes meet, or nearly so, are one figure. Pictures side by side stay apart. */
function mergeNear(seeds: readonly Cluster[], page: PageGeometry, lines: readonly PointBox[]): Cluster[] {
  let clusters = seeds.map((seed) => ({ ...seed }))
  for (let round = 0; round < maxRounds; round++) {
    const merged: Cluster[] = []
    for (const cluster of clusters.sort((a, b) => a.box[1] - b.box[1])) {
      const near = merged.find((other) => isNear(other, cluster) && !swallows(other, cluster, page, lines))
      if (near) {
        near.box = union(near.box, cluster.box)
        near.picture ||= cluster.picture
      } else merged.push({ ...cluster })
    }
    if (merged.length === clusters.length) return merged
    clusters = merged
  }
  return clusters
}

function isNear(a: Cluster, b: Cluster): boolean {
  if (a.framed && b.framed) return false
  const shared = intersection(a.box, b.box)
  if (shared > 0.1 * Math.min(area(a.box), area(b.box))) return true
  if (a.framed || b.framed) return false
  const reach = a.picture && b.picture ? 2 : 9
  const dx = Math.max(a.box[0], b.box[0]) - Math.min(a.box[2], b.box[2])
  const dy = Math.max(a.box[1], b.box[1]) - Math.min(a.box[3], b.box[3])
  return dx <= reach && dy <= reach
}

/** Joining would take in running text or a label that stands between the two. */
function swallows(a: Cluster, b: Cluster, page: PageGeometry, lines: readonly PointBox[]): boolean {
  const joined = union(a.box, b.box)
  const isNew = (line: PointBox) => {
    const [x, y] = [centerX(line), centerY(line)]
    return contains(joined, x, y) && !contains(a.box, x, y) && !contains(b.box, x, y)
  }
  if (lines.some(isNew)) return true
  if (intersection(a.box, b.box) > 0) return false
  const between: PointBox = [Math.max(a.box[0], b.box[0]), Math.min(a.box[3], b.box[3]), Math.min(a.box[2], b.box[2]), Math.max(a.box[1], b.box[1])]
  return between[3] > between[1] && page.atoms.some((atom) => atom.words && contains(between, centerX(atom.box), centerY(atom.box)))
}
