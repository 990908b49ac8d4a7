import { coverage } from '../../../geometry/box.ts'
import type { TextRegion } from '../../../schema/page.ts'
import type { PointBox } from '../../../schema/text-layer.ts'
import { regionAngle, regionBox, regionSize } from '../../region-box.ts'
import type { Atom } from '../page-geometry.ts'

/** A region is so much taller than the type in it: the finder's boxes are grown beyond the ink. */
const sizeOfHeight = 0.72
/** A skewed scan leans by a few degrees; more is a turned text and keeps its angle. */
const largestSkew = 8

/**
 * One atom for each text region, from top to bottom. Regions of a skewed scan are straightened: their boxes are
 * turned about the middle of the page by the common slope, so that neighbours on a printed line share a baseline.
 * `covered` are boxes of trusted words: a region that lies on them was read already and gives no atom.
 */
export function atomsFromRegions(regions: readonly TextRegion[], pageWidth: number, pageHeight: number, covered: readonly PointBox[]): Atom[] {
  const skew = commonSkew(regions, pageWidth, pageHeight)
  const atoms: Atom[] = []
  for (const [i, region] of regions.entries()) {
    if (isCovered(regionBox(region, pageWidth, pageHeight), covered)) continue
    atoms.push(regionAtom(region, i, skew, pageWidth, pageHeight))
  }
  return atoms.sort((a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0])
}

function regionAtom(region: TextRegion, index: number, skew: number, pageWidth: number, pageHeight: number): Atom {
  const slope = regionAngle(region, pageWidth, pageHeight)
  const { length, thickness } = regionSize(region, pageWidth, pageHeight)
  const upright = Math.abs(slope) <= largestSkew || Math.abs(Math.abs(slope) - 180) <= largestSkew
  // A tall box with level edges is a column of vertical writing.
  const vertical = upright && thickness > length * 1.8 && thickness > 3 * medianThickness(length)
  const box = skew === 0 ? regionBox(region, pageWidth, pageHeight) : straightBox(region, skew, pageWidth, pageHeight)
  const across = vertical ? length : thickness
  return {
    box,
    baseline: box[3] - (box[3] - box[1]) / 5,
    sizePt: across * sizeOfHeight,
    angle: upright ? 0 : slope < 0 ? slope + 360 : slope,
    vertical,
    region: index,
    text: '',
  }
}

/** Columns narrower than this many points hold single letters rather than lines of vertical writing. */
const medianThickness = (length: number): number => length * 0.8

/** The median slope of the long level regions in degrees; 0 when the page is straight. */
function commonSkew(regions: readonly TextRegion[], pageWidth: number, pageHeight: number): number {
  const slopes: number[] = []
  for (const region of regions) {
    const { length, thickness } = regionSize(region, pageWidth, pageHeight)
    const slope = regionAngle(region, pageWidth, pageHeight)
    if (length > thickness * 5 && Math.abs(slope) <= largestSkew) slopes.push(slope)
  }
  if (slopes.length < 3) return 0
  slopes.sort((a, b) => a - b)
  const median = slopes[slopes.length >> 1] ?? 0
  return Math.abs(median) < 0.15 ? 0 : median
}

/** The box of the region after the page is turned back by `skew` about its middle: middle, length and thickness kept. */
function straightBox(region: TextRegion, skew: number, pageWidth: number, pageHeight: number): PointBox {
  const [ax, ay, bx, by, cx, cy, dx, dy] = region.corners
  const x = ((ax + bx + cx + dx) / 4) * pageWidth - pageWidth / 2
  const y = ((ay + by + cy + dy) / 4) * pageHeight - pageHeight / 2
  const turn = (-skew * Math.PI) / 180
  const straightX = x * Math.cos(turn) - y * Math.sin(turn) + pageWidth / 2
  const straightY = x * Math.sin(turn) + y * Math.cos(turn) + pageHeight / 2
  const { length, thickness } = regionSize(region, pageWidth, pageHeight)
  return [straightX - length / 2, straightY - thickness / 2, straightX + length / 2, straightY + thickness / 2]
}

/** Trusted words cover most of the region. */
function isCovered(region: PointBox, words: readonly PointBox[]): boolean {
  let covered = 0
  for (const word of words) covered += coverage(region, word)
  return covered > 0.5
}
