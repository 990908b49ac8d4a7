import type { Documents } from '../../runtime/document-reader.ts'
import type { ArtifactRef, DocumentOpened, DocumentSubmitted } from '../../schema/events.ts'
import { type Failure, PagestreamError } from '../../schema/failure.ts'
import type { PageRef } from '../../schema/page.ts'
import type { Stage } from '../../schema/stage.ts'
import type { PageToRender, RenderedPage } from '../../stages/stage-values.ts'
import type { Artifacts } from '../../store/artifacts.ts'
import type { OutRecord } from '../bus.ts'
import type { Expanded, StageBinding } from '../stage-binding.ts'
import { endFailedPage } from './failed-page.ts'
import { openedKey, pageEventKey, resultKey, resultsKey, textLayerKey, unfinishedKey } from './keys.ts'
import { pageEnd } from './page-end.ts'

interface Input extends PageToRender {
  readonly opened: ArtifactRef
}

export interface PageRenderBindingOptions {
  readonly stage: Stage<PageToRender, RenderedPage>
  readonly documents: Documents
  readonly artifacts: Artifacts
}

/** documents → pages.rendered: opens a document and sends its pages on; pages whose result is there already go straight to the end. */
export function pageRenderBinding({ stage, documents, artifacts }: PageRenderBindingOptions): StageBinding<'documents', Input, RenderedPage> {
  return {
    topic: 'documents',
    stage: stage as Stage<Input, RenderedPage>,
    expand: (document) => expand(document, documents, artifacts),
    done: async ({ page, opened }, { frame, textLayer }) => [
      {
        topic: 'pages.rendered',
        key: pageEventKey(page),
        payload: { page, frame, opened, textLayer: await artifacts.put(textLayerKey(page), textLayer, 'passing') },
      },
    ],
    failed: ({ page, opened }, failure) => endFailedPage(artifacts, { stage: 'page-render', topic: 'documents', page, opened, failure }),
    unreadable: async (document, failure) => documentFailed(document, failure),
  }
}

async function* expand(document: DocumentSubmitted, documents: Documents, artifacts: Artifacts): AsyncIterable<Expanded<Input>> {
  const { documentId, revision, source, ocr } = document
  const info = await documents.use(source, async (open) => open.info)
  const pages = pagesOf(document, info.pageCount)
  if (pages.length === 0) throw new PagestreamError('document-no-pages', `opening ${source.name}: it has ${info.pageCount} pages, none of them asked for`)
  if (await artifacts.find(unfinishedKey(documentId, revision), 'either')) {
    // Submitted again: pages that failed for a while are read anew, and their old end is none.
    await artifacts.forget(resultsKey(documentId, revision), 'passing')
    await artifacts.forget(unfinishedKey(documentId, revision), 'passing')
  }
  const value: DocumentOpened = { info, pages }
  const opened = await artifacts.put(openedKey(documentId, revision), value, 'passing')
  for (const pageIndex of pages) {
    const page: PageRef = { documentId, revision, pageIndex, pageCount: info.pageCount, ocr, source }
    const earlier = await earlierResult(page, opened, artifacts)
    yield earlier ? { kind: 'publish', records: [earlier] } : { kind: 'page', page: { page, opened } }
  }
}

/** Each once and ascending, whatever the message says: a document ends when each of its pages has. */
function pagesOf({ pages }: DocumentSubmitted, pageCount: number): number[] {
  if (!pages) return Array.from({ length: pageCount }, (_, index) => index)
  return [...new Set(pages)].filter((index) => index < pageCount).sort((a, b) => a - b)
}

/** The event of a page whose result an earlier run has left behind. */
async function earlierResult(page: PageRef, opened: ArtifactRef, artifacts: Artifacts): Promise<OutRecord | undefined> {
  const key = resultKey(page.documentId, page.revision, page.pageIndex)
  const ref = await artifacts.find(key, 'lasting')
  if (!ref) return undefined
  const { pageResultSchema } = await import('../../schema/page.ts')
  const result = pageResultSchema.safeParse(await artifacts.get(ref).catch(() => undefined)).data
  if (!result) {
    await artifacts.forget(key, 'lasting') // damaged: read again
    return undefined
  }
  return pageEnd(page, result.status, ref, opened)
}

function documentFailed(document: DocumentSubmitted, failure: Failure): OutRecord[] {
  const { documentId, revision, source } = document
  return [
    { topic: 'pages.recognized', key: documentId, payload: { kind: 'document', documentId, revision, source, failure } },
    { topic: 'dead-letter', key: documentId, payload: { stage: 'page-render', topic: 'documents', documentId, revision, failure, record: { source } } },
  ]
}
