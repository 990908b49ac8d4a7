import type { PointBox } from '../../../schema/text-layer.ts'

/** One stroke of the pen: points in order, control points of curves included. */
export interface Subpath {
  xs: number[]
  ys: number[]
  curved: boolean
  /** Indices of points that belong to a curve. */
  curves: number[]
  closed: boolean
}

export interface ClassifiedSubpath {
  /** `lines`: only horizontal and vertical segments. */
  readonly kind: 'nothing' | 'rectangle' | 'lines' | 'other'
  readonly box: PointBox
  /** The segments of `lines`, as degenerate boxes. */
  readonly segments: readonly PointBox[]
}

/** Points that differ by less lie on one horizontal or vertical line. */
const straight = 0.35
/** Share of its length by which a run of axis-parallel lines may lean in all: a curve drawn in tiny steps leans in each. */
const mostLean = 0.02

/** Whether a subpath is a rectangle, a run of axis-parallel lines or something else. */
export function classifySubpath(path: Subpath): ClassifiedSubpath {
  const { xs, ys } = path
  const box = boxOf(path)
  if (xs.length < 2) return { kind: 'nothing', box, segments: [] }
  if (path.curved) return { kind: isRounded(path, box) ? 'rectangle' : 'other', box, segments: [] }
  const segments: PointBox[] = []
  const ends = path.closed ? xs.length : xs.length - 1
  let [lean, length] = [0, 0]
  for (let i = 0; i < ends; i++) {
    const j = (i + 1) % xs.length
    const [ax, ay, bx, by] = [xs[i] ?? 0, ys[i] ?? 0, xs[j] ?? 0, ys[j] ?? 0]
    const dx = Math.abs(ax - bx)
    const dy = Math.abs(ay - by)
    if (dx > straight && dy > straight) return { kind: 'other', box, segments: [] }
    lean += Math.min(dx, dy)
    length += Math.max(dx, dy)
    if (dx > 0 || dy > 0) segments.push([Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)])
  }
  if (segments.length === 0) return { kind: 'nothing', box, segments }
  if (lean > 2 * straight && lean > mostLean * length) return { kind: 'other', box, segments: [] }
  return { kind: isRectangle(path, box) ? 'rectangle' : 'lines', box, segments }
}

function boxOf({ xs, ys }: Subpath): PointBox {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i] ?? 0
    const y = ys[i] ?? 0
    if (x < x0) x0 = x
    if (x > x1) x1 = x
    if (y < y0) y0 = y
    if (y > y1) y1 = y
  }
  return [x0, y0, x1, y1]
}

/** Four corners, each a corner of the box, visited round about. */
function isRectangle({ xs, ys, closed }: Subpath, box: PointBox): boolean {
  const last = xs.length - 1
  const returns = Math.abs((xs[0] ?? 0) - (xs[last] ?? 0)) <= straight && Math.abs((ys[0] ?? 0) - (ys[last] ?? 0)) <= straight
  const corners = returns ? last : xs.length
  if (corners !== 4 || (!returns && !closed)) return false
  let seen = 0
  for (let i = 0; i < 4; i++) {
    const x = xs[i] ?? 0
    const y = ys[i] ?? 0
    const right = Math.abs(x - box[2]) <= Math.abs(x - box[0]) ? 1 : 0
    const low = Math.abs(y - box[3]) <= Math.abs(y - box[1]) ? 1 : 0
    const near = Math.min(Math.abs(x - box[0]), Math.abs(x - box[2])) <= straight && Math.min(Math.abs(y - box[1]), Math.abs(y - box[3])) <= straight
    if (!near) return false
    seen |= 1 << (right * 2 + low)
  }
  return seen === 0b1111 || box[2] - box[0] <= straight || box[3] - box[1] <= straight
}

/** A box with rounded corners: its curves stay within the outer quarter of its shorter side. */
function isRounded({ xs, ys, curves, closed }: Subpath, box: PointBox): boolean {
  const reach = Math.min(box[2] - box[0], box[3] - box[1]) / 4
  if (!closed || reach < 2 || curves.length !== 12 || xs.length - curves.length < 4) return false
  return curves.every((i) => {
    const x = xs[i] ?? 0
    const y = ys[i] ?? 0
    const nearX = Math.min(x - box[0], box[2] - x) <= reach
    const nearY = Math.min(y - box[1], box[3] - y) <= reach
    return nearX && nearY
  })
}
