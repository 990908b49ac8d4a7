import type { KafkaConfig } from '../config/kafka-config.ts'
import { type ReadRecord, readTopic } from '../consumers/kafka/topic-reader.ts'
import type { BackfillCheckpoint } from '../schema/backfill.ts'
import type { DocumentAssembled, PageGated } from '../schema/events.ts'
import type { Failure } from '../schema/failure.ts'
import type { TopicName } from '../schema/topics.ts'
import { offsetsFrom } from './offsets.ts'

/** Clocks of machines differ by less. */
const clockMs = 60_000

/** Hears what became of the documents of a run and counts it into its checkpoint, with the offset up to which it has counted. */
export class RunFeedback {
  readonly #kafka: KafkaConfig
  readonly #run: string
  readonly #startedMs: number
  readonly #checkpoint: BackfillCheckpoint
  readonly #stop = new AbortController()
  lastHeardMs = Date.now()

  constructor(kafka: KafkaConfig, { run, startedMs }: { run: string; startedMs: number }, checkpoint: BackfillCheckpoint) {
    this.#kafka = kafka
    this.#run = run
    this.#startedMs = startedMs
    this.#checkpoint = checkpoint
  }

  /** Resolves after `stop`. Rejects with `kafka-*`. */
  async listen(): Promise<void> {
    const { offsets, gateOffsets } = this.#checkpoint
    await Promise.all([
      this.#follow('documents.assembled', offsets, (record) => this.#ended(record.payload as DocumentAssembled)),
      this.#follow('pages.gated', gateOffsets, (record) => this.#gated(record.payload as PageGated)),
    ])
  }

  stop(): void {
    this.#stop.abort()
  }

  async #follow(topic: TopicName, offsets: Record<string, string>, count: (record: ReadRecord) => void): Promise<void> {
    const from = Math.max(0, this.#startedMs - clockMs)
    const records = readTopic(this.#kafka, { topic, lane: 'bulk', from, offsets: offsetsFrom(offsets), until: 'stopped', signal: this.#stop.signal })
    for await (const record of records) {
      if (record.run === this.#run && record.payload !== null) count(record)
      offsets[record.partition] = String(record.offset + 1n)
    }
  }

  #ended({ status, pages, failedPages, failure }: DocumentAssembled): void {
    const { ended, failures } = this.#checkpoint
    ended[status]++
    this.#checkpoint.pages += pages
    this.#checkpoint.failedPages += failedPages
    if (failure) addTo(failures, failure)
    this.lastHeardMs = Date.now()
  }

  #gated({ modelUsed }: PageGated): void {
    const { gated } = this.#checkpoint
    gated.pages++
    if (!modelUsed) gated.withoutModel++
  }
}

export function addTo(counts: BackfillCheckpoint['failures'], { class: failureClass }: Failure): void {
  counts[failureClass] = (counts[failureClass] ?? 0) + 1
}

/** Documents of the run that workers have and that have not ended. */
export const inFlight = ({ sent, lost, ended }: BackfillCheckpoint): number => Math.max(0, sent - lost - ended.complete - ended.partial - ended.failed)
