import { doneKey, unfinishedKey } from '../consumers/chain/keys.ts'
import type { RunEnd } from '../schema/backfill.ts'
import type { DocumentAssembled } from '../schema/events.ts'
import type { Artifacts } from '../store/artifacts.ts'

/** How a document ended, as the store has it; undefined where it has no end. `key`: id/revision. */
export async function storedEnd(key: string, artifacts: Artifacts): Promise<RunEnd | undefined> {
  const at = key.lastIndexOf('/')
  const [documentId, revision] = [key.slice(0, at), key.slice(at + 1)]
  const ref = (await artifacts.find(doneKey(documentId, revision), 'lasting')) ?? (await artifacts.find(unfinishedKey(documentId, revision), 'either'))
  if (!ref) return undefined
  return runEnd(await artifacts.get<DocumentAssembled>(ref))
}

/** What a run keeps of the end of a document; names only of those that somebody may want to look after. */
export function runEnd({ status, pages, failedPages, failure, source }: DocumentAssembled): RunEnd {
  const problem = status !== 'complete' && { name: source.name, ...(failure && { code: failure.code }) }
  return { status, pages, failedPages, ...(failure && { failure: failure.class }), ...problem }
}
