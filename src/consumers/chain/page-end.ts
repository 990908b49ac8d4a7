import type { ArtifactRef } from '../../schema/events.ts'
import type { PageBlock, PageRef, PageResult } from '../../schema/page.ts'
import type { Bus, OutRecord } from '../bus.ts'
import type { Cause } from '../stage-binding.ts'

/** The event that ends a page for assemble. */
export function pageEnd(page: PageRef, status: PageResult['status'], result: ArtifactRef, opened: ArtifactRef): OutRecord {
  return { topic: 'pages.recognized', key: page.documentId, payload: { kind: 'page', page, status, result, opened } }
}

/** One event a block, where somebody reads them. `blocks` are those of the kept result: whoever comes second tells what the first has read. */
export function blockEvents(bus: Bus, { documentId, revision }: PageRef, blocks: PageResult['blocks']): OutRecord[] {
  if (!bus.wanted('blocks')) return []
  return blocks.map((block) => ({ topic: 'blocks', key: documentId, payload: { documentId, revision, block } }))
}

/**
 * Tells of blocks before their page is finished, where somebody reads them. What cannot be sent is not told: the finished page tells of
 * every block in any case.
 */
export function earlyTeller(bus: Bus, { documentId, revision }: PageRef, cause: Cause): { readonly tell?: (block: PageBlock) => void } {
  if (!bus.wanted('blocks')) return {}
  return {
    tell(block) {
      bus.publish([{ topic: 'blocks', key: documentId, payload: { documentId, revision, block, early: true }, ...cause }]).catch(() => {})
    },
  }
}
