import type { KafkaConfig } from '../config/kafka-config.ts'
import { resultKey, unfinishedKey } from '../consumers/chain/keys.ts'
import { workTopicOf } from '../consumers/kafka/resender.ts'
import type { DeadLetter } from '../schema/events.ts'
import { PagestreamError } from '../schema/failure.ts'
import type { Artifacts } from '../store/artifacts.ts'

/** A value of the store that says that a page or document has ended. */
export interface EndedValue {
  readonly key: string
  readonly life: 'passing' | 'lasting'
  readonly value: unknown
}

/**
 * What must be gone from the store before the record of a letter is read again: the failed result of its page and the end of its document.
 * A record of `documents` opens its document anew, which drops the end and passing results by itself.
 */
export async function endedValues(letter: DeadLetter, kafka: KafkaConfig, artifacts: Artifacts): Promise<EndedValue[]> {
  const { documentId, revision, pageIndex, original } = letter
  if (documentId === '') return []
  const found: EndedValue[] = []
  if (pageIndex !== undefined) {
    const key = resultKey(documentId, revision, pageIndex)
    const lasting = await artifacts.find(key, 'lasting')
    const ref = lasting ?? (await artifacts.find(key, 'either'))
    if (ref) found.push({ key, life: lasting ? 'lasting' : 'passing', value: await orUndefined(artifacts.get(ref)) })
  }
  if (original && workTopicOf(kafka, original) !== 'documents') {
    const key = unfinishedKey(documentId, revision)
    const ref = await artifacts.find(key, 'either')
    if (ref) found.push({ key, life: 'passing', value: await orUndefined(artifacts.get(ref)) })
  }
  return found
}

export async function takeAway(values: readonly EndedValue[], artifacts: Artifacts): Promise<void> {
  for (const { key, life } of values) {
    await artifacts.forget(key, life)
    if (life === 'lasting') await artifacts.forget(key, 'passing')
  }
}

/** As it was before: nothing has been read again. */
export async function putBack(values: readonly EndedValue[], artifacts: Artifacts): Promise<void> {
  for (const { key, life, value } of values) if (value !== undefined) await artifacts.put(key, value, life)
}

/** A value that has just expired or is damaged says nothing any more. */
async function orUndefined(value: Promise<unknown>): Promise<unknown> {
  try {
    return await value
  } catch (error) {
    if (error instanceof PagestreamError && error.code === 'artifact-missing') return undefined
    throw error
  }
}
