import type { Box } from '../../schema/geometry.ts'
import type { TextRegion } from '../../schema/page.ts'

/** The upright box around a region, in the unit in which the page measures `width` x `height`. */
export function boundsOf({ corners }: TextRegion, width = 1, height = 1): Box {
  const xs = [corners[0], corners[2], corners[4], corners[6]]
  const ys = [corners[1], corners[3], corners[5], corners[7]]
  return [Math.min(...xs) * width, Math.min(...ys) * height, Math.max(...xs) * width, Math.max(...ys) * height]
}

/** An upright box as a region. */
export const regionOf = ([x0, y0, x1, y1]: Box, score = 1): TextRegion => ({ corners: [x0, y0, x1, y0, x1, y1, x0, y1], score })

/** A region found in a picture of a part of the page, in fractions of the page. */
export function placedIn(region: TextRegion, part: Box): TextRegion {
  const x = (v: number) => Math.round((part[0] + v * (part[2] - part[0])) * 1e5) / 1e5
  const y = (v: number) => Math.round((part[1] + v * (part[3] - part[1])) * 1e5) / 1e5
  const [x0, y0, x1, y1, x2, y2, x3, y3] = region.corners
  return { corners: [x(x0), y(y0), x(x1), y(y1), x(x2), y(y2), x(x3), y(y3)], score: region.score }
}
