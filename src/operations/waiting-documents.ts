import type { KafkaConfig } from '../config/kafka-config.ts'
import { unfinishedFrom } from '../consumers/kafka/group-lag.ts'
import { readTopic } from '../consumers/kafka/topic-reader.ts'
import type { Lane } from '../schema/lane.ts'

/** Records that wait for a worker and are looked through. */
export const mostWaiting = 100_000

/** Ids of the documents on a lane that no worker has finished opening, at most `mostWaiting`; those before are in the store. Rejects with `kafka-*`. */
export async function* waitingDocuments(config: KafkaConfig, lane: Lane): AsyncIterable<string> {
  const offsets = await unfinishedFrom(config, 'page-render', lane)
  let read = 0
  for await (const { key, payload } of readTopic(config, { topic: 'documents', lane, from: 'latest', offsets, until: 'end' })) {
    yield payload !== null && 'documentId' in payload ? payload.documentId : key
    if (++read >= mostWaiting) return
  }
}
