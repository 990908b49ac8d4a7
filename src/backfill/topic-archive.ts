import type { KafkaConfig } from '../config/kafka-config.ts'
import { readTopic } from '../consumers/kafka/topic-reader.ts'
import type { DocumentSubmitted } from '../schema/events.ts'
import type { ArchiveEntry, ArchiveSource } from './archive-source.ts'
import { offsetsFrom, offsetsText } from './offsets.ts'

/** Documents that were submitted to the live lane between two times. A position is the next offset of every partition. */
export class TopicArchive implements ArchiveSource {
  readonly #kafka: KafkaConfig
  readonly #fromMs: number
  readonly #untilMs: number

  constructor(kafka: KafkaConfig, { fromMs, untilMs }: { fromMs: number; untilMs: number }) {
    this.#kafka = kafka
    this.#fromMs = fromMs
    this.#untilMs = untilMs
  }

  async *entries(after: string): AsyncIterable<ArchiveEntry> {
    const offsets = offsetsFrom(after === '' ? {} : (JSON.parse(after) as Record<string, string>))
    for await (const record of readTopic(this.#kafka, { topic: 'documents', lane: 'live', from: this.#fromMs, offsets: new Map(offsets), until: 'end' })) {
      offsets.set(record.partition, record.offset + 1n)
      if (record.payload === null || record.timestampMs >= this.#untilMs) continue
      yield { position: JSON.stringify(offsetsText(offsets)), what: { kind: 'document', document: record.payload as DocumentSubmitted } }
    }
  }
}
