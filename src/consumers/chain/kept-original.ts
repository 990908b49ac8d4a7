import { createHash } from 'node:crypto'
import { type OriginalRecord, originalRecordSchema } from '../../schema/events.ts'
import type { Artifacts, SharedArtifacts } from '../../store/artifacts.ts'
import { passingPrefix } from '../../store/store-artifacts.ts'

/** What stands in a letter itself; base64 of more would make it larger than the topic takes. */
const largestInLetter = 64 * 1024

const bytesSchema = originalRecordSchema.pick({ key: true, value: true, headers: true })

/** The record for a dead letter: one with many bytes leaves them in the store, under a key that follows from them, and says where. */
export async function keptOriginal(original: OriginalRecord, artifacts: SharedArtifacts): Promise<OriginalRecord> {
  const { key, value, headers, ...place } = original
  const bytes = { key, value, headers }
  const text = JSON.stringify(bytes)
  if (text.length <= largestInLetter) return original
  const name = createHash('sha256').update(text).digest('hex')
  const stored = await artifacts.put(`${passingPrefix}originals/${name}`, bytes, 'latest')
  return { ...place, key: null, value: null, headers: [], stored }
}

/** The record of a dead letter with its bytes. Rejects with `artifact-missing` when they have left the store. */
export async function wholeOriginal(original: OriginalRecord, artifacts: Artifacts): Promise<OriginalRecord> {
  const { stored, ...place } = original
  if (!stored) return original
  return { ...place, ...bytesSchema.parse(await artifacts.get(stored)) }
}
