import type { TextRegion } from '../schema/page.ts'
import type { PointBox } from '../schema/text-layer.ts'

/** The upright box around a text region, in points. */
export function regionBox(region: TextRegion, pageWidth: number, pageHeight: number): PointBox {
  const [ax, ay, bx, by, cx, cy, dx, dy] = region.corners
  return [
    Math.min(ax, bx, cx, dx) * pageWidth,
    Math.min(ay, by, cy, dy) * pageHeight,
    Math.max(ax, bx, cx, dx) * pageWidth,
    Math.max(ay, by, cy, dy) * pageHeight,
  ]
}

/** Direction of the upper edge in degrees clockwise, -180..180. */
export function regionAngle(region: TextRegion, pageWidth: number, pageHeight: number): number {
  const [ax, ay, bx, by] = region.corners
  return (Math.atan2((by - ay) * pageHeight, (bx - ax) * pageWidth) * 180) / Math.PI
}

/** Lengths along and across the reading direction, in points. */
export function regionSize(region: TextRegion, pageWidth: number, pageHeight: number): { length: number; thickness: number } {
  const [ax, ay, bx, by, , , dx, dy] = region.corners
  const length = Math.hypot((bx - ax) * pageWidth, (by - ay) * pageHeight)
  const thickness = Math.hypot((dx - ax) * pageWidth, (dy - ay) * pageHeight)
  return { length, thickness }
}
