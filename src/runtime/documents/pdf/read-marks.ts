import type { Engine } from './engine.ts'

export interface Marks {
  /** Inside `/OC … BDC`: shown or not by the state of a layer. */
  readonly optional: boolean
  /** Inside `/Artifact`: running heads, page numbers, decoration. */
  readonly artifact: boolean
}

const none: Marks = { optional: false, artifact: false }
const maxMarks = 16

/** What the marked content around a page object says of it. */
export function readMarks(engine: Engine, object: number): Marks {
  const { call, heap, scratch } = engine
  const count = Math.min(call.FPDFPageObj_CountMarks(object), maxMarks)
  if (count <= 0) return none
  let optional = false
  let artifact = false
  const length = scratch + 64
  for (let i = 0; i < count; i++) {
    const mark = call.FPDFPageObj_GetMark(object, i)
    if (!call.FPDFPageObjMark_GetName(mark, scratch, 64, length)) continue
    const bytes = heap.u32[length >> 2] ?? 0
    if (isName(heap.u16, scratch >> 1, bytes, 'OC')) optional = true
    else if (isName(heap.u16, scratch >> 1, bytes, 'Artifact')) artifact = true
  }
  return { optional, artifact }
}

/** Compares a UTF-16 name of so many bytes, end included, without making a string of it. */
function isName(units: Uint16Array, at: number, bytes: number, name: string): boolean {
  if (bytes !== 2 * name.length + 2) return false
  for (let i = 0; i < name.length; i++) if (units[at + i] !== name.charCodeAt(i)) return false
  return true
}
