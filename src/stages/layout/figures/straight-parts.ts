import { area, centerX, centerY, contains, height, union, width } from '../../../geometry/box.ts'
import type { PointBox, Rule } from '../../../schema/text-layer.ts'
import type { PageGeometry } from '../page-geometry.ts'
import type { Cluster } from './cluster-parts.ts'

/** An axis meets the curve that it belongs to; a legend may stand a little apart. In points. */
const [lineReach, boxReach] = [4, 9]
/** An axis or legend makes a drawing at most so many times wider or higher: what reaches further belongs to the page. */
const mostGrowth = 2.2
/** Writing longer than this, in em, is no label. */
const longestLabelEm = 12
/** Parts looked at, for a page made to be slow. */
const maxParts = 500

/**
 * Adds to drawings what is drawn of them in straight lines and plain boxes: axes, frames and legends. The text layer counts
 * those as ruling lines and fills, which may as well belong to a table or to the page.
 *
 * @param taken boxes of tables.
 */
export function addStraightParts(clusters: readonly Cluster[], page: PageGeometry, taken: readonly PointBox[]): void {
  const drawings = clusters.filter((c) => !c.picture)
  if (drawings.length === 0) return
  const isFree = (box: PointBox) => !taken.some((table) => contains(table, centerX(box), centerY(box)))
  const lines = page.rules.slice(0, maxParts).map(ruleBox).filter(isFree)
  const boxes = page.fills
    .slice(0, maxParts)
    .filter((fill) => fill.stroked || fill.color !== '#ffffff')
    .map((fill) => fill.box)
    .filter(isFree)
  for (const drawing of drawings) {
    const whole = drawing.box
    // The second round reaches what stands at the end of an axis.
    for (let round = 0; round < 2; round++) {
      for (const line of lines) join(drawing, line, lineReach, whole, page)
      for (const box of boxes) if (area(box) < area(whole)) join(drawing, box, boxReach, whole, page)
    }
  }
}

const ruleBox = (rule: Rule): PointBox => (rule.direction === 'horizontal' ? [rule.from, rule.at, rule.to, rule.at] : [rule.at, rule.from, rule.at, rule.to])

function join(drawing: Cluster, part: PointBox, reach: number, whole: PointBox, page: PageGeometry): void {
  const { box } = drawing
  const dx = Math.max(box[0], part[0]) - Math.min(box[2], part[2])
  const dy = Math.max(box[1], part[1]) - Math.min(box[3], part[3])
  if (dx > reach || dy > reach) return
  const joined = union(box, part)
  if (joined.every((edge, i) => edge === box[i])) return
  if (width(joined) > mostGrowth * width(whole) || height(joined) > mostGrowth * height(whole)) return
  if (!page.atoms.some((atom) => isLong(atom.box, atom.sizePt) && meets(joined, atom.box) && !meets(box, atom.box))) drawing.box = joined
}

const isLong = (box: PointBox, sizePt: number): boolean => width(box) > longestLabelEm * sizePt

const meets = (box: PointBox, atom: PointBox): boolean =>
  Math.min(box[2], atom[2]) > Math.max(box[0], atom[0]) && Math.min(box[3], atom[3]) - Math.max(box[1], atom[1]) > 0.3 * height(atom)
