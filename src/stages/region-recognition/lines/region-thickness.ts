import type { PageFrame, TextRegion } from '../../../schema/page.ts'

/** The shorter side of a region in points: its height, or the width of a column of vertical writing. A slant does not add to it as it does to the height of the box around it. */
export function regionThickness({ corners: [ax, ay, bx, by, , , dx, dy] }: TextRegion, { width, height }: PageFrame): number {
  const along = Math.hypot((bx - ax) * width, (by - ay) * height)
  const across = Math.hypot((dx - ax) * width, (dy - ay) * height)
  return Math.min(along, across)
}
