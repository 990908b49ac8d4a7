import type { TextRegion } from '../../schema/page.ts'
import type { MaskComponent } from './mask-components.ts'
import { maskComponents } from './mask-components.ts'
import type { Corners } from './rotated-rectangle.ts'
import { convexHull, cornersOf, grow, smallestRectangle } from './rotated-rectangle.ts'

/** The numbers of the reference, in pixels of the map where they are lengths. Source: PaddleOCR, DBPostProcess. */
const rules = {
  maskThreshold: 0.3,
  maxCandidates: 1000,
  minSide: 3,
  scoreThreshold: 0.6,
  unclipRatio: 1.5,
  minGrownSide: 5,
  /** In pixels of the picture. */
  minPictureSide: 3,
} as const

/**
 * Regions of writing in a probability map of `mapWidth` x `mapHeight`, for a picture of the given size in pixels:
 * connected pieces above the mask threshold, the smallest rectangle around each, kept by the mean probability in it, grown
 * (the network was trained on shrunk regions). Corners as fractions of the picture, from top to bottom.
 */
export function regionsOfMap(map: Float32Array, mapWidth: number, mapHeight: number, pictureWidth: number, pictureHeight: number): TextRegion[] {
  const regions: TextRegion[] = []
  for (const component of maskComponents(map, mapWidth, mapHeight, rules.maskThreshold, rules.maxCandidates)) {
    const rectangle = smallestRectangle(convexHull(endsOfRows(component)))
    if (Math.min(rectangle.width, rectangle.height) < rules.minSide) continue
    const score = meanInside(map, mapWidth, mapHeight, cornersOf(rectangle))
    if (score < rules.scoreThreshold) continue
    const grown = grow(rectangle, unclipDistance(rectangle.width, rectangle.height))
    if (Math.min(grown.width, grown.height) < rules.minGrownSide) continue
    const corners = toFractions(cornersOf(grown), mapWidth, mapHeight)
    if (shortSide(corners, pictureWidth, pictureHeight) <= rules.minPictureSide) continue
    regions.push({ corners, score: Math.round(score * 1e4) / 1e4 })
  }
  return regions.sort((a, b) => a.corners[1] - b.corners[1] || a.corners[0] - b.corners[0])
}

/** How far a rectangle grows on every side: area by perimeter, times the ratio. */
export const unclipDistance = (width: number, height: number): number => (width * height * rules.unclipRatio) / (2 * (width + height))

/** The hull of a piece needs only the leftmost and rightmost pixel of each row. */
function endsOfRows({ runs }: MaskComponent): number[] {
  const ends: number[] = []
  for (let i = 0; i < runs.length; ) {
    const y = runs[i + 2] as number
    const left = runs[i] as number
    let right = runs[i + 1] as number
    for (i += 3; i < runs.length && runs[i + 2] === y; i += 3) right = runs[i + 1] as number
    ends.push(left, y)
    if (right !== left) ends.push(right, y)
  }
  return ends
}

/** Mean of the map inside a convex polygon whose corners are cut to whole pixels, border included. */
export function meanInside(map: Float32Array, mapWidth: number, mapHeight: number, corners: Corners): number {
  const xs = [0, 2, 4, 6].map((i) => Math.min(mapWidth - 1, Math.max(0, Math.trunc(corners[i] as number))))
  const ys = [1, 3, 5, 7].map((i) => Math.min(mapHeight - 1, Math.max(0, Math.trunc(corners[i] as number))))
  let sum = 0
  let count = 0
  for (let y = Math.min(...ys); y <= Math.max(...ys); y++) {
    let left = Infinity
    let right = -Infinity
    for (let i = 0; i < 4; i++) {
      const j = (i + 1) % 4
      const [x0, y0, x1, y1] = [xs[i] as number, ys[i] as number, xs[j] as number, ys[j] as number]
      if (y < Math.min(y0, y1) || y > Math.max(y0, y1)) continue
      const at = y0 === y1 ? [x0, x1] : [x0 + ((y - y0) * (x1 - x0)) / (y1 - y0)]
      left = Math.min(left, ...at)
      right = Math.max(right, ...at)
    }
    for (let x = Math.round(left), end = Math.round(right); x <= end; x++) {
      sum += map[y * mapWidth + x] as number
      count++
    }
  }
  return count > 0 ? sum / count : 0
}

/** Map coordinates count pixel centres from 0; fractions count edges. */
function toFractions(corners: Corners, width: number, height: number): TextRegion['corners'] {
  const fraction = (value: number, side: number) => Math.round(Math.min(1, Math.max(0, (value + 0.5) / side)) * 1e5) / 1e5
  const [x0, y0, x1, y1, x2, y2, x3, y3] = corners
  const x = (v: number) => fraction(v, width)
  const y = (v: number) => fraction(v, height)
  return [x(x0), y(y0), x(x1), y(y1), x(x2), y(y2), x(x3), y(y3)]
}

function shortSide(corners: TextRegion['corners'], width: number, height: number): number {
  const side = (i: number, j: number) =>
    Math.hypot(((corners[i] as number) - (corners[j] as number)) * width, ((corners[i + 1] as number) - (corners[j + 1] as number)) * height)
  return Math.min(side(0, 2), side(2, 4))
}
