import type { ArtifactRef } from '../../schema/events.ts'
import type { Failure } from '../../schema/failure.ts'
import type { PageFrame, PageRef, PageResult } from '../../schema/page.ts'
import type { StageName } from '../../schema/stage.ts'
import type { TopicName } from '../../schema/topics.ts'
import type { Artifacts } from '../../store/artifacts.ts'
import type { OutRecord } from '../bus.ts'
import { passingKey, resultKey } from './keys.ts'
import { pageEnd } from './page-end.ts'

export interface FailedPage {
  readonly stage: StageName
  readonly topic: TopicName
  readonly page: PageRef
  readonly opened: ArtifactRef
  readonly frame?: PageFrame
  readonly failure: Failure
}

/** The result of a page that could not be read: terminal, so that its document completes. */
export function failedResult({ page, frame, failure }: FailedPage): PageResult {
  return {
    index: page.pageIndex,
    width: frame?.width ?? 0,
    height: frame?.height ?? 0,
    angle: frame?.angle ?? 0,
    textSource: 'none',
    reasons: [],
    status: 'failed',
    failure,
    flags: [],
    lostWords: 0,
    blocks: [],
  }
}

/**
 * Ends a page for good: a terminal result for assemble and a dead letter for people.
 * Only failures that would come again alike are kept over a restart; the others are tried anew.
 */
export async function endFailedPage(artifacts: Artifacts, failed: FailedPage): Promise<OutRecord[]> {
  const { page, stage, topic, failure, opened } = failed
  const result = await artifacts.put(
    resultKey(page.documentId, page.revision, page.pageIndex),
    failedResult(failed),
    failure.class === 'input' ? 'lasting' : 'passing',
  )
  await artifacts.abandon(passingKey(page))
  return [
    pageEnd(page, 'failed', result, opened),
    {
      topic: 'dead-letter',
      key: page.documentId,
      payload: { stage, topic, documentId: page.documentId, revision: page.revision, pageIndex: page.pageIndex, failure, record: { page } },
    },
  ]
}
