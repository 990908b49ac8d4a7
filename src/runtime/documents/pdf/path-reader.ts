import type { PointBox } from '../../../schema/text-layer.ts'
import type { Engine } from './engine.ts'
import { type Matrix, type PageFrame, transformBox } from './page-frame.ts'
import type { DrawnObjects } from './page-objects.ts'
import { readColor } from './read-color.ts'
import { classifySubpath, type Subpath } from './subpath.ts'

/** `FPDF_SEGMENT_*` */
const bezierTo = 1
const moveTo = 2

/** Paths of maps and plots have millions of segments: past the budget of a page only the box of a path counts. */
const maxSegments = 120_000
const maxSegmentsOfPath = 8000
const maxShapes = 60_000

/** Stands for a fill whose colour the engine does not name: a pattern or a shading. */
const patternColor = '#808080'

interface Pen {
  readonly filled: boolean
  readonly fill: string | undefined
  readonly opaque: boolean
  readonly stroked: boolean
  readonly stroke: string
  /** Points; 0 when not stroked. */
  readonly thickness: number
}

/** Sorts what paths draw into ruling lines, rectangles and other shapes. */
export class PathReader {
  private readonly engine: Engine
  private readonly frame: PageFrame
  private left = maxSegments

  constructor(engine: Engine, frame: PageFrame) {
    this.engine = engine
    this.frame = frame
  }

  /** `matrix` brings points of the path to the page, `outer` those of the stream that draws it (for its clip). */
  read(object: number, matrix: Matrix, outer: Matrix, z: number, into: DrawnObjects): void {
    const pen = this.pen(object, matrix)
    if (!pen) return
    const count = this.engine.call.FPDFPath_CountSegments(object)
    if (count > maxSegmentsOfPath || count > this.left) {
      this.other(object, outer, z, pen, into)
      return
    }
    this.left -= count
    for (const subpath of this.subpaths(object, count, matrix)) this.subpath(subpath, pen, object, outer, z, into)
  }

  private subpath(subpath: Subpath, pen: Pen, object: number, outer: Matrix, z: number, into: DrawnObjects): void {
    const { kind, box, segments } = classifySubpath(subpath)
    if (kind === 'rectangle') {
      const shown = this.clipped(object, box, outer)
      if (!this.onPage(shown)) return
      this.rectangle(shown, pen, z, into)
      if (pen.filled && isArea(shown)) into.paints.push(pen.opaque && pen.fill ? { z, box: shown, color: pen.fill } : { z, box: shown })
    } else if (kind === 'lines' && pen.stroked) {
      for (const s of segments) if (this.onPage(s)) addStroke(s, pen.thickness, pen.stroke, z, into)
    } else if (kind !== 'nothing' && this.onPage(box)) {
      // Asking for the clip is dear: what is small is no nearer to its neighbours for being cut.
      const shown = pen.filled || isLarge(box) ? this.clipped(object, box, outer) : box
      if (into.shapes.length < maxShapes) into.shapes.push(shown)
      if (pen.filled) into.paints.push({ z, box: shown })
    }
  }

  /** What the path is drawn with; `undefined` when nothing of it shows (clips, transparent paint). */
  private pen(object: number, matrix: Matrix): Pen | undefined {
    const { call, heap, scratch } = this.engine
    if (!call.FPDFPath_GetDrawMode(object, scratch, scratch + 4)) return undefined
    const fills = heap.i32[scratch >> 2] !== 0
    const strokes = heap.i32[(scratch >> 2) + 1] !== 0
    const fill = fills ? readColor(this.engine, object, 'fill') : undefined
    const stroke = strokes ? readColor(this.engine, object, 'stroke') : undefined
    const filled = fills && fill?.alpha !== 0
    const stroked = strokes && stroke?.alpha !== 0
    if (!filled && !stroked) return undefined
    return {
      filled,
      fill: fill?.hex,
      opaque: fill?.alpha === 255 && !call.FPDFPageObj_HasTransparency(object),
      stroked,
      stroke: stroke?.hex ?? '#000000',
      thickness: stroked ? this.strokeWidth(object, matrix) : 0,
    }
  }

  private rectangle(box: PointBox, pen: Pen, z: number, into: DrawnObjects): void {
    const [x0, y0, x1, y1] = box
    const { filled, stroked, thickness, stroke } = pen
    const fill = pen.fill ?? patternColor
    if (!isArea(box)) {
      addStroke(box, Math.min(x1 - x0, y1 - y0) + thickness, filled ? fill : stroke, z, into)
      return
    }
    into.rectangles.push(filled ? { box, color: fill, stroked } : { box, stroked: true })
    if (!stroked) return
    addStroke([x0, y0, x1, y0], thickness, stroke, z, into)
    addStroke([x0, y1, x1, y1], thickness, stroke, z, into)
    addStroke([x0, y0, x0, y1], thickness, stroke, z, into)
    addStroke([x1, y0, x1, y1], thickness, stroke, z, into)
  }

  private other(object: number, outer: Matrix, z: number, { filled }: Pen, into: DrawnObjects): void {
    const { call, heap, scratch } = this.engine
    if (!call.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12)) return
    const [left = 0, bottom = 0, right = 0, top = 0] = heap.f32.subarray(scratch >> 2, (scratch >> 2) + 4)
    const box = this.clipped(object, transformBox(outer, left, bottom, right, top), outer)
    if (!this.onPage(box)) return
    if (into.shapes.length < maxShapes) into.shapes.push(box)
    if (filled) into.paints.push({ z, box })
  }

  private strokeWidth(object: number, matrix: Matrix): number {
    const { call, heap, scratch } = this.engine
    const width = call.FPDFPageObj_GetStrokeWidth(object, scratch) ? (heap.f32[scratch >> 2] ?? 1) : 1
    return width * Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c))
  }

  private *subpaths(object: number, count: number, matrix: Matrix): Generator<Subpath> {
    const { call, heap, scratch } = this.engine
    const { a, b, c, d, e, f } = matrix
    const at = scratch >> 2
    let open: Subpath = { xs: [], ys: [], curved: false, curves: [], closed: false }
    for (let i = 0; i < count; i++) {
      const segment = call.FPDFPath_GetPathSegment(object, i)
      const type = call.FPDFPathSegment_GetType(segment)
      if (type === moveTo && open.xs.length > 0) {
        yield open
        open = { xs: [], ys: [], curved: false, curves: [], closed: false }
      }
      call.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4)
      const x = heap.f32[at] ?? 0
      const y = heap.f32[at + 1] ?? 0
      if (type === bezierTo) {
        open.curved = true
        open.curves.push(open.xs.length)
      }
      open.xs.push(a * x + c * y + e)
      open.ys.push(b * x + d * y + f)
      if (call.FPDFPathSegment_GetClose(segment)) open.closed = true
    }
    if (open.xs.length > 0) yield open
  }

  /** The part of a box that the object's clip lets through: the boxes of the clip's paths, whatever their shape. */
  clipped(object: number, box: PointBox, outer: Matrix): PointBox {
    const { call, heap, scratch } = this.engine
    const clip = call.FPDFPageObj_GetClipPath(object)
    const paths = clip === 0 ? 0 : Math.min(call.FPDFClipPath_CountPaths(clip), 32)
    let [x0, y0, x1, y1] = box
    for (let p = 0; p < paths; p++) {
      const count = call.FPDFClipPath_CountPathSegments(clip, p)
      if (count < 2 || count > 2000) continue
      let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity]
      for (let i = 0; i < count; i++) {
        call.FPDFPathSegment_GetPoint(call.FPDFClipPath_GetPathSegment(clip, p, i), scratch, scratch + 4)
        const x = heap.f32[scratch >> 2] ?? 0
        const y = heap.f32[(scratch >> 2) + 1] ?? 0
        left = Math.min(left, x)
        right = Math.max(right, x)
        bottom = Math.min(bottom, y)
        top = Math.max(top, y)
      }
      const shown = transformBox(outer, left, bottom, right, top)
      x0 = Math.max(x0, shown[0])
      y0 = Math.max(y0, shown[1])
      x1 = Math.min(x1, shown[2])
      y1 = Math.min(y1, shown[3])
    }
    return [x0, y0, Math.max(x0, x1), Math.max(y0, y1)]
  }

  private onPage(box: PointBox): boolean {
    return box[2] >= 0 && box[3] >= 0 && box[0] <= this.frame.width && box[1] <= this.frame.height
  }
}

/** A rectangle so thin that it is a line: under 2.5 points, or under 5 when it is much longer than thick. */
function isArea([x0, y0, x1, y1]: PointBox): boolean {
  const short = Math.min(x1 - x0, y1 - y0)
  const long = Math.max(x1 - x0, y1 - y0)
  return short > 5 || (short > 2.5 && long < 20 * short)
}

const isLarge = ([x0, y0, x1, y1]: PointBox): boolean => x1 - x0 > 24 || y1 - y0 > 24

function addStroke([x0, y0, x1, y1]: PointBox, thickness: number, color: string, z: number, into: DrawnObjects): void {
  const horizontal = x1 - x0 >= y1 - y0
  into.strokes.push(
    horizontal
      ? { direction: 'horizontal', at: (y0 + y1) / 2, from: x0, to: x1, thickness, color, z }
      : { direction: 'vertical', at: (x0 + x1) / 2, from: y0, to: y1, thickness, color, z },
  )
}
