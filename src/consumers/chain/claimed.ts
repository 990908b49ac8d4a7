import type { ArtifactRef } from '../../schema/events.ts'
import { PagestreamError } from '../../schema/failure.ts'
import type { PageRef, PageResult } from '../../schema/page.ts'
import type { Artifacts } from '../../store/artifacts.ts'
import type { OutRecord } from '../bus.ts'
import type { Expanded } from '../stage-binding.ts'
import { resultKey } from './keys.ts'
import { pageEnd } from './page-end.ts'

/**
 * Fetches what an event refers to. A page that comes again after it was done has no passing values any more: its result is there,
 * and the event that ends it is sent again, with those that the stage `owes` besides: its process may have died between keeping
 * the result and sending them.
 */
export async function* claimed<In>(
  page: PageRef,
  opened: ArtifactRef,
  artifacts: Artifacts,
  fetch: () => Promise<In>,
  owes: (result: PageResult) => readonly OutRecord[] = () => [],
): AsyncIterable<Expanded<In>> {
  let input: In
  try {
    input = await fetch()
  } catch (error) {
    if (!(error instanceof PagestreamError) || error.code !== 'artifact-missing') throw error
    const ref = await artifacts.find(resultKey(page.documentId, page.revision, page.pageIndex), 'either')
    if (!ref) throw error
    const result = await artifacts.get<PageResult>(ref)
    yield { kind: 'publish', records: [pageEnd(page, result.status, ref, opened), ...owes(result)] }
    return
  }
  yield { kind: 'page', page: input }
}
