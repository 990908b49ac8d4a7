import type { Documents } from '../runtime/document-reader.ts'
import { turnTextLayer } from '../text-layer/turn-text-layer.ts'
import type { GatedPage } from './stage-values.ts'

/** The page with all that its document says of it, read now where only its size was. Rejects with `page-*` and `document-*` codes. */
export async function withWholeLayer<T extends GatedPage>(input: T, documents: Documents): Promise<T> {
  if (!input.textLayer.sizeOnly) return input
  const { page, frame } = input
  const layer = await documents.use(page.source, (document) => document.textLayer(page.pageIndex))
  return { ...input, textLayer: turnTextLayer(layer, frame.angle) }
}
