import type { Link } from '../../../schema/text-layer.ts'
import type { Engine } from './engine.ts'
import { type PageFrame, transformBox } from './page-frame.ts'

const maxLinks = 2000
const maxUriBytes = 4096

/** `PDFACTION_*` */
const goTo = 1
const uri = 3

/** The link annotations of a page that lead somewhere: to an address or to a page of the document. */
export function readLinks(engine: Engine, document: number, page: number, frame: PageFrame): Link[] {
  const { call, heap, scratch } = engine
  const position = scratch + 32
  const handle = scratch + 36
  heap.i32[position >> 2] = 0
  const links: Link[] = []
  while (links.length < maxLinks && call.FPDFLink_Enumerate(page, position, handle)) {
    const link = heap.u32[handle >> 2] ?? 0
    if (link === 0 || !call.FPDFLink_GetAnnotRect(link, scratch)) continue
    const [left = 0, top = 0, right = 0, bottom = 0] = heap.f32.subarray(scratch >> 2, (scratch >> 2) + 4)
    const box = transformBox(frame.matrix, left, bottom, right, top)
    const target = linkTarget(engine, document, link)
    if (target) links.push({ box, ...target })
  }
  return links
}

function linkTarget(engine: Engine, document: number, link: number): { uri: string } | { page: number } | undefined {
  const { call } = engine
  const action = call.FPDFLink_GetAction(link)
  const type = action === 0 ? 0 : call.FPDFAction_GetType(action)
  if (type === uri) {
    const text = engine.readText((buffer, bytes) => call.FPDFAction_GetURIPath(document, action, buffer, bytes), 'utf-8', maxUriBytes)
    return text === '' ? undefined : { uri: text }
  }
  const destination = call.FPDFLink_GetDest(document, link) || (type === goTo ? call.FPDFAction_GetDest(document, action) : 0)
  const index = destination === 0 ? -1 : call.FPDFDest_GetDestPageIndex(document, destination)
  return index >= 0 ? { page: index } : undefined
}
