import type { QuarterTurn } from '../../../schema/geometry.ts'
import type { PointBox } from '../../../schema/text-layer.ts'
import type { Engine } from './engine.ts'

/** `x' = a x + c y + e`, `y' = b x + d y + f`. */
export interface Matrix {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
  readonly e: number
  readonly f: number
}

export const identity: Matrix = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }

/** First `m`, then `n`. */
export const multiply = (m: Matrix, n: Matrix): Matrix => ({
  a: m.a * n.a + m.b * n.c,
  b: m.a * n.b + m.b * n.d,
  c: m.c * n.a + m.d * n.c,
  d: m.c * n.b + m.d * n.d,
  e: m.e * n.a + m.f * n.c + n.e,
  f: m.e * n.b + m.f * n.d + n.f,
})

/** The box around a rectangle of the matrix's space, in any corner order. */
export function transformBox(m: Matrix, x0: number, y0: number, x1: number, y1: number): PointBox {
  const ax = m.a * x0 + m.e
  const bx = m.a * x1 + m.e
  const cx = m.c * y0
  const dx = m.c * y1
  const ay = m.b * x0 + m.f
  const by = m.b * x1 + m.f
  const cy = m.d * y0
  const dy = m.d * y1
  return [Math.min(ax, bx) + Math.min(cx, dx), Math.min(ay, by) + Math.min(cy, dy), Math.max(ax, bx) + Math.max(cx, dx), Math.max(ay, by) + Math.max(cy, dy)]
}

/** The page as displayed: crop box cut to the media box, /Rotate and user unit applied, origin top-left, y down. */
export interface PageFrame {
  readonly width: number
  readonly height: number
  readonly rotation: QuarterTurn
  /** From user space to points of the displayed page. */
  readonly matrix: Matrix
}

/** Size and matrix of an open page. The size may be zero or absurd: the caller checks it. */
export function pageFrame(engine: Engine, page: number, userUnit: number): PageFrame {
  const { call, heap, scratch } = engine
  const rotation = ((((call.FPDFPage_GetRotation(page) % 4) + 4) % 4) * 90) as QuarterTurn
  call.FPDF_GetPageBoundingBox(page, scratch)
  const [left = 0, top = 0, right = 0, bottom = 0] = heap.f32.subarray(scratch >> 2, (scratch >> 2) + 4)
  const u = userUnit
  const w = (right - left) * u
  const h = (top - bottom) * u
  switch (rotation) {
    case 90:
      return { width: h, height: w, rotation, matrix: { a: 0, b: u, c: u, d: 0, e: -bottom * u, f: -left * u } }
    case 180:
      return { width: w, height: h, rotation, matrix: { a: -u, b: 0, c: 0, d: u, e: right * u, f: -bottom * u } }
    case 270:
      return { width: h, height: w, rotation, matrix: { a: 0, b: -u, c: -u, d: 0, e: top * u, f: right * u } }
    default:
      return { width: w, height: h, rotation, matrix: { a: u, b: 0, c: 0, d: -u, e: -left * u, f: top * u } }
  }
}
