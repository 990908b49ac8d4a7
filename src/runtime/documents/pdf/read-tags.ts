import type { Tag } from '../../../schema/text-layer.ts'
import type { Engine } from './engine.ts'

/** Structure trees may be cyclic or endless: both depth and count are bounded. */
const maxDepth = 64
const maxTags = 20_000
const maxMcids = 5000
const maxTextBytes = 16_384

/** The page's part of the structure tree, parents before children; roles are after the role map. */
export function readTags(engine: Engine, page: number): Tag[] {
  const { call } = engine
  const tree = call.FPDF_StructTree_GetForPage(page)
  if (tree === 0) return []
  try {
    const tags: Tag[] = []
    const roots = call.FPDF_StructTree_CountChildren(tree)
    for (let i = 0; i < roots && tags.length < maxTags; i++) {
      readElement(engine, call.FPDF_StructTree_GetChildAtIndex(tree, i), -1, 0, new Set(), tags)
    }
    return tags
  } finally {
    call.FPDF_StructTree_Close(tree)
  }
}

function readElement(engine: Engine, element: number, parent: number, depth: number, path: Set<number>, tags: Tag[]): void {
  if (element === 0 || depth > maxDepth || tags.length >= maxTags || path.has(element)) return
  const { call } = engine
  path.add(element)
  const index = tags.length
  const alt = engine.readText((b, n) => call.FPDF_StructElement_GetAltText(element, b, n), 'utf-16', maxTextBytes)
  const actualText = engine.readText((b, n) => call.FPDF_StructElement_GetActualText(element, b, n), 'utf-16', maxTextBytes)
  const role = engine.readText((b, n) => call.FPDF_StructElement_GetType(element, b, n), 'utf-16')
  tags.push({
    role,
    parent,
    mcids: markedContent(engine, element),
    ...(alt ? { alt } : {}),
    ...(actualText ? { actualText } : {}),
    ...(role === 'TD' || role === 'TH' ? spans(engine, element) : {}),
  })
  const count = call.FPDF_StructElement_CountChildren(element)
  for (let i = 0; i < count && tags.length < maxTags; i++) {
    readElement(engine, call.FPDF_StructElement_GetChildAtIndex(element, i), index, depth + 1, path, tags)
  }
  path.delete(element)
}

function markedContent(engine: Engine, element: number): number[] {
  const { call } = engine
  const count = Math.min(call.FPDF_StructElement_GetMarkedContentIdCount(element), maxMcids)
  const ids: number[] = []
  for (let i = 0; i < count; i++) {
    const id = call.FPDF_StructElement_GetMarkedContentIdAtIndex(element, i)
    if (id >= 0) ids.push(id)
  }
  return ids
}

function spans(engine: Engine, element: number): { rowSpan?: number; columnSpan?: number } {
  const { call, heap, scratch } = engine
  const count = Math.min(call.FPDF_StructElement_GetAttributeCount(element), 16)
  const found: { rowSpan?: number; columnSpan?: number } = {}
  const number = (attribute: number, name: string): number => {
    const value = call.FPDF_StructElement_Attr_GetValue(attribute, engine.key(name))
    if (value === 0 || !call.FPDF_StructElement_Attr_GetNumberValue(value, scratch)) return 0
    return Math.min(1000, Math.floor(heap.f32[scratch >> 2] ?? 0))
  }
  for (let i = 0; i < count; i++) {
    const attribute = call.FPDF_StructElement_GetAttributeAtIndex(element, i)
    if (attribute === 0) continue
    const rows = number(attribute, 'RowSpan')
    const columns = number(attribute, 'ColSpan')
    if (rows > 1) found.rowSpan = rows
    if (columns > 1) found.columnSpan = columns
  }
  return found
}
