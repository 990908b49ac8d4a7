import type { Engine } from './engine.ts'

export interface Color {
  /** `#rrggbb` */
  readonly hex: string
  /** 0 transparent … 255 opaque. */
  readonly alpha: number
}

/** What text is drawn in where the engine knows no colour. */
export const black: Color = { hex: '#000000', alpha: 255 }
const byNumber = new Map<number, string>()
const cacheSize = 4096

function hex(rgb: number): string {
  const known = byNumber.get(rgb)
  if (known) return known
  const made = `#${rgb.toString(16).padStart(6, '0')}`
  if (byNumber.size < cacheSize) byNumber.set(rgb, made)
  return made
}

/** The colour in which a page object is filled or stroked, as RGB; `undefined` where the engine has none (patterns). */
export function readColor(engine: Engine, object: number, paint: 'fill' | 'stroke'): Color | undefined {
  const { call, heap, scratch } = engine
  const ask = paint === 'fill' ? call.FPDFPageObj_GetFillColor : call.FPDFPageObj_GetStrokeColor
  if (!ask(object, scratch, scratch + 4, scratch + 8, scratch + 12)) return undefined
  const at = scratch >> 2
  const rgb = (((heap.u32[at] ?? 0) & 255) << 16) | (((heap.u32[at + 1] ?? 0) & 255) << 8) | ((heap.u32[at + 2] ?? 0) & 255)
  return { hex: hex(rgb), alpha: (heap.u32[at + 3] ?? 255) & 255 }
}
