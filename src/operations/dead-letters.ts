import type { KafkaConfig } from '../config/kafka-config.ts'
import { readTopic } from '../consumers/kafka/topic-reader.ts'
import type { DeadLetter } from '../schema/events.ts'
import type { FailureClass } from '../schema/failure.ts'
import type { StageName } from '../schema/stage.ts'

export interface LetterFilter {
  /** Ids, or the first characters of one. */
  readonly ids?: readonly string[]
  readonly class?: FailureClass
  readonly stage?: StageName
  readonly documentId?: string
  /** Milliseconds since 1970. */
  readonly since?: number
}

export interface FoundLetter {
  /** The id of the event: the same failure of the same record has the same id, however often it was sent. */
  readonly id: string
  readonly atMs: number
  readonly letter: DeadLetter
  /** Trace of the work that failed. */
  readonly traceparent?: string
}

/** Ids that are remembered, so that a letter that was sent twice is told once. */
const mostRemembered = 100_000

/** The dead letters that are kept on the topic, in the order of each partition. Rejects with `kafka-*`. */
export async function* findLetters(config: KafkaConfig, filter: LetterFilter): AsyncIterable<FoundLetter> {
  const told = new Set<string>()
  for await (const { id, timestampMs, payload, traceparent } of readTopic(config, { topic: 'dead-letter', from: filter.since ?? 'earliest', until: 'end' })) {
    if (payload === null || !('failure' in payload) || !('record' in payload)) continue
    if (id === '' || told.has(id) || !matches(id, payload, filter)) continue
    if (told.size < mostRemembered) told.add(id)
    yield { id, atMs: timestampMs, letter: payload, ...(traceparent !== undefined && { traceparent }) }
  }
}

function matches(id: string, letter: DeadLetter, filter: LetterFilter): boolean {
  if (filter.ids && filter.ids.length > 0 && !filter.ids.some((asked) => id.startsWith(asked))) return false
  if (filter.class !== undefined && letter.failure.class !== filter.class) return false
  if (filter.stage !== undefined && letter.stage !== filter.stage) return false
  return filter.documentId === undefined || letter.documentId === filter.documentId
}
