import type { Documents } from '../../runtime/document-reader.ts'
import { toFailure } from '../../schema/failure.ts'
import type { Outcome, Stage, Window } from '../../schema/stage.ts'
import { asCompleted } from '../as-completed.ts'
import type { PageToRender, RenderedPage } from '../stage-values.ts'

/** Milliseconds of one core for the text layer of a page, as measured on papers. */
const pageCostMs = 8
/** Pages asked for at once: enough to keep every PDF worker of a large machine busy, few enough to bound what waits. */
const pagesInFlight = 64

export interface PageRenderOptions {
  readonly documents: Documents
  /** Pages that must be read are read by a vision-language model: of those that must in any case nobody looks at the text layer. */
  readonly leftToModel?: boolean
}

/**
 * Reads the text layer of each page; nothing is rendered here. Stages that need a picture ask for it,
 * so that a page that none of them must look at is never drawn.
 */
export function pageRenderStage({ documents, leftToModel = false }: PageRenderOptions): Stage<PageToRender, RenderedPage> {
  const read = async (input: PageToRender): Promise<Outcome<PageToRender, RenderedPage>> => {
    const { page } = input
    try {
      const textLayer = await documents.use(page.source, (document) => document.textLayer(page.pageIndex, { sizeOnly: leftToModel && page.ocr === 'always' }))
      const frame = { width: textLayer.width, height: textLayer.height, angle: 0 as const }
      return { kind: 'done', input, value: { ...input, frame, textLayer } }
    } catch (error) {
      return { kind: 'failed', input, failure: toFailure(error) }
    }
  }
  return {
    name: 'page-render',
    cost: () => pageCostMs,
    process: (window: Window<PageToRender>, signal: AbortSignal) => asCompleted(window.pages, read, pagesInFlight, signal),
  }
}
