/** A rectangle at an angle, in any unit. `angle` is that of the side `width`, in radians. */
export interface RotatedRectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly angle: number
}

/** x0 y0 … x3 y3, clockwise on a page whose y points down, from the corner that is the top-left of what is written. */
export type Corners = readonly [number, number, number, number, number, number, number, number]

/** The convex hull of points `x y x y …` as the same kind of list. Source: Andrew's monotone chain. */
export function convexHull(points: readonly number[]): number[] {
  const order = Array.from({ length: points.length / 2 }, (_, i) => i)
  const px = (i: number) => points[i * 2] as number
  const py = (i: number) => points[i * 2 + 1] as number
  order.sort((a, b) => px(a) - px(b) || py(a) - py(b))
  if (order.length < 3) return order.flatMap((i) => [px(i), py(i)])
  const half = (indices: readonly number[]) => {
    const chain: number[] = []
    for (const i of indices) {
      while (chain.length >= 2) {
        const a = chain[chain.length - 2] as number
        const b = chain[chain.length - 1] as number
        if ((px(b) - px(a)) * (py(i) - py(a)) - (py(b) - py(a)) * (px(i) - px(a)) > 0) break
        chain.pop()
      }
      chain.push(i)
    }
    chain.pop()
    return chain
  }
  return [...half(order), ...half(order.reverse())].flatMap((i) => [px(i), py(i)])
}

/**
 * The rectangle of smallest area around a convex polygon: one of its sides lies on a side of the polygon.
 * Source: Freeman and Shapira 1975, the base of rotating calipers.
 */
export function smallestRectangle(hull: readonly number[]): RotatedRectangle {
  const count = hull.length / 2
  let best: (RotatedRectangle & { area: number }) | undefined
  for (let i = 0; i < Math.max(1, count); i++) {
    const j = (i + 1) % Math.max(1, count)
    const dx = (hull[j * 2] ?? 0) - (hull[i * 2] ?? 0)
    const dy = (hull[j * 2 + 1] ?? 0) - (hull[i * 2 + 1] ?? 0)
    const candidate = rectangleAlong(hull, Math.atan2(dy, dx))
    if (!best || candidate.area < best.area - 1e-9) best = candidate
  }
  return best ?? { x: 0, y: 0, width: 0, height: 0, angle: 0 }
}

function rectangleAlong(hull: readonly number[], angle: number): RotatedRectangle & { area: number } {
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  let [u0, u1, v0, v1] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let i = 0; i < hull.length; i += 2) {
    const x = hull[i] as number
    const y = hull[i + 1] as number
    const u = x * cos + y * sin
    const v = y * cos - x * sin
    u0 = Math.min(u0, u)
    u1 = Math.max(u1, u)
    v0 = Math.min(v0, v)
    v1 = Math.max(v1, v)
  }
  const u = (u0 + u1) / 2
  const v = (v0 + v1) / 2
  return { x: u * cos - v * sin, y: u * sin + v * cos, width: u1 - u0, height: v1 - v0, angle, area: (u1 - u0) * (v1 - v0) }
}

/** Grown by `distance` on every side: what an outward offset with round joins and its smallest rectangle come to. */
export const grow = (r: RotatedRectangle, distance: number): RotatedRectangle => ({ ...r, width: r.width + 2 * distance, height: r.height + 2 * distance })

/**
 * The corners of a rectangle, named by its angle: the top side is the one that points to the right, within 45 degrees.
 * (Sorting corners by x mirrors narrow upright boxes that lean a little.)
 */
export function cornersOf(r: RotatedRectangle): Corners {
  const quarter = Math.PI / 2
  const turns = Math.round(r.angle / quarter)
  const angle = r.angle - turns * quarter
  const swapped = turns % 2 !== 0
  const halfWidth = (swapped ? r.height : r.width) / 2
  const halfHeight = (swapped ? r.width : r.height) / 2
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const corner = (u: number, v: number): [number, number] => [r.x + u * cos - v * sin, r.y + u * sin + v * cos]
  return [...corner(-halfWidth, -halfHeight), ...corner(halfWidth, -halfHeight), ...corner(halfWidth, halfHeight), ...corner(-halfWidth, halfHeight)]
}
