import type { ArtifactRef } from '../../schema/events.ts'
import { PagestreamError } from '../../schema/failure.ts'
import type { PageRef, PageResult } from '../../schema/page.ts'
import type { Artifacts } from '../../store/artifacts.ts'
import type { Expanded } from '../stage-worker.ts'
import { resultKey } from './keys.ts'

/**
 * Fetches what an event refers to. A page that comes again after it was done has no passing values any more:
 * its result is there, and the event that ends it is sent again.
 */
export async function* claimed<In>(page: PageRef, opened: ArtifactRef, artifacts: Artifacts, fetch: () => Promise<In>): AsyncIterable<Expanded<In>> {
  let input: In
  try {
    input = await fetch()
  } catch (error) {
    if (!(error instanceof PagestreamError) || error.code !== 'artifact-missing') throw error
    const result = await artifacts.find(resultKey(page.documentId, page.revision, page.pageIndex), 'either')
    if (!result) throw error
    const { status } = await artifacts.get<PageResult>(result)
    yield { kind: 'publish', records: [{ topic: 'pages.recognized', key: page.documentId, payload: { kind: 'page', page, status, result, opened } }] }
    return
  }
  yield { kind: 'page', page: input }
}
