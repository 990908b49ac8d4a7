import type { PointBox } from '../../../schema/text-layer.ts'
import type { Engine } from './engine.ts'
import { type Matrix, multiply, type PageFrame, transformBox } from './page-frame.ts'
import { PathReader } from './path-reader.ts'
import { readMarks } from './read-marks.ts'

/** Where a text object stands in the drawing order, and its marked-content id (-1 for none). */
export interface DrawnText {
  readonly z: number
  readonly mcid: number
  /** It belongs to optional content: whether it shows is for the picture of the page to say. */
  readonly optional: boolean
}

/** Stands for the marked-content id of what is marked as an artifact, which has none. */
export const artifactMcid = 0x3fff_ffff

/** Something that colours an area: what words may stand on or vanish under. */
export interface Paint {
  readonly z: number
  readonly box: PointBox
  /** `#rrggbb` of a plain opaque rectangle; absent when the colour differs from place to place or is not known. */
  readonly color?: string
  /** Handle of the picture, when it is one. */
  readonly picture?: number
}

export interface RuleStroke {
  readonly direction: 'horizontal' | 'vertical'
  readonly at: number
  readonly from: number
  readonly to: number
  readonly thickness: number
  readonly color: string
  readonly z: number
}

export interface Rectangle {
  readonly box: PointBox
  readonly color?: string
  readonly stroked: boolean
}

export interface DrawnPicture {
  readonly box: PointBox
  readonly widthPx: number
  readonly heightPx: number
}

/** What is drawn on a page, in drawing order, in points of the displayed page. */
export interface DrawnObjects {
  readonly paints: Paint[]
  readonly strokes: RuleStroke[]
  readonly rectangles: Rectangle[]
  readonly pictures: DrawnPicture[]
  /** Boxes of curves, slanted lines and other shapes. */
  readonly shapes: PointBox[]
}

export interface PageObjects extends DrawnObjects {
  readonly texts: Map<number, DrawnText>
  /** What belongs to optional content and may not show, kept apart; its texts stand among the others. */
  readonly optional: DrawnObjects
  /** The engine does not take the page for one (its /Type is missing or wrong) and lists no objects; it may have text all the same. */
  unlisted: boolean
}

/** `FPDF_PAGEOBJ_*` */
const kinds = { text: 1, path: 2, image: 3, shading: 4, form: 5 } as const

/** Hostile pages nest forms in forms, each drawing the next several times: both the depth and the whole are bounded. */
const maxDepth = 12
const maxObjects = 150_000
const maxPictures = 4000

/** Walks over the objects of a page and of the forms that it draws. */
export function readPageObjects(engine: Engine, page: number, frame: PageFrame): PageObjects {
  const walk = new ObjectWalk(engine, frame)
  const { call } = engine
  const count = call.FPDFPage_CountObjects(page)
  walk.found.unlisted = count < 0
  for (let i = 0; i < count && walk.more; i++) walk.visit(call.FPDFPage_GetObject(page, i), frame.matrix, 0, false)
  return walk.found
}

const noObjects = (): DrawnObjects => ({ paints: [], strokes: [], rectangles: [], pictures: [], shapes: [] })

class ObjectWalk {
  readonly found: PageObjects = { ...noObjects(), texts: new Map(), optional: noObjects(), unlisted: false }
  private readonly engine: Engine
  private readonly paths: PathReader
  private z = 0

  constructor(engine: Engine, frame: PageFrame) {
    this.engine = engine
    this.paths = new PathReader(engine, frame)
  }

  get more(): boolean {
    return this.z < maxObjects
  }

  visit(object: number, matrix: Matrix, depth: number, inOptional: boolean): void {
    if (object === 0 || !this.more) return
    const { call } = this.engine
    const z = this.z++
    const marks = readMarks(this.engine, object)
    const optional = inOptional || marks.optional
    const into = optional ? this.found.optional : this.found
    switch (call.FPDFPageObj_GetType(object)) {
      case kinds.text:
        this.found.texts.set(object, { z, mcid: marks.artifact ? artifactMcid : depth === 0 ? call.FPDFPageObj_GetMarkedContentID(object) : -1, optional })
        return
      case kinds.path:
        this.paths.read(object, multiply(this.matrixOf(object), matrix), matrix, z, into)
        return
      case kinds.image:
        this.picture(object, matrix, z, into)
        return
      case kinds.shading:
        into.paints.push({ z, box: this.paths.clipped(object, this.bounds(object, matrix), matrix) })
        return
      case kinds.form:
        this.form(object, matrix, depth, optional)
        return
    }
  }

  private form(object: number, matrix: Matrix, depth: number, optional: boolean): void {
    if (depth >= maxDepth) return
    const { call } = this.engine
    const inner = multiply(this.matrixOf(object), matrix)
    const count = call.FPDFFormObj_CountObjects(object)
    for (let i = 0; i < count && this.more; i++) this.visit(call.FPDFFormObj_GetObject(object, i), inner, depth + 1, optional)
  }

  private picture(object: number, matrix: Matrix, z: number, into: DrawnObjects): void {
    if (into.pictures.length >= maxPictures) return
    const { call, heap, scratch } = this.engine
    const whole = transformBox(multiply(this.matrixOf(object), matrix), 0, 0, 1, 1)
    const box = this.paths.clipped(object, whole, matrix)
    if (!(box[2] > box[0] && box[3] > box[1])) return
    const known = call.FPDFImageObj_GetImagePixelSize(object, scratch, scratch + 4)
    const widthPx = known ? (heap.u32[scratch >> 2] ?? 0) : 0
    const heightPx = known ? (heap.u32[(scratch >> 2) + 1] ?? 0) : 0
    into.paints.push({ z, box, picture: object })
    into.pictures.push({ box, ...shownPixels(whole, box, widthPx, heightPx) })
  }

  private matrixOf(object: number): Matrix {
    const { call, heap, scratch } = this.engine
    if (!call.FPDFPageObj_GetMatrix(object, scratch)) return { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }
    const at = scratch >> 2
    const { f32 } = heap
    return { a: f32[at] ?? 1, b: f32[at + 1] ?? 0, c: f32[at + 2] ?? 0, d: f32[at + 3] ?? 1, e: f32[at + 4] ?? 0, f: f32[at + 5] ?? 0 }
  }

  private bounds(object: number, matrix: Matrix): PointBox {
    const { call, heap, scratch } = this.engine
    if (!call.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12)) return [0, 0, 0, 0]
    const [left = 0, bottom = 0, right = 0, top = 0] = heap.f32.subarray(scratch >> 2, (scratch >> 2) + 4)
    return transformBox(matrix, left, bottom, right, top)
  }
}

/** Of a picture that is cut by a clip only the shown share of its pixels counts: box and pixels then give the true resolution. */
function shownPixels(whole: PointBox, shown: PointBox, widthPx: number, heightPx: number): { widthPx: number; heightPx: number } {
  const x = (shown[2] - shown[0]) / (whole[2] - whole[0] || 1)
  const y = (shown[3] - shown[1]) / (whole[3] - whole[1] || 1)
  if (x > 0.99 && y > 0.99) return { widthPx, heightPx }
  return { widthPx: Math.round(widthPx * x), heightPx: Math.round(heightPx * y) }
}
