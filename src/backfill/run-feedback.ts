import type { KafkaConfig } from '../config/kafka-config.ts'
import { type ReadRecord, readTopic } from '../consumers/kafka/topic-reader.ts'
import type { DocumentAssembled, PageGated } from '../schema/events.ts'
import type { TopicName } from '../schema/topics.ts'
import { offsetsFrom } from './offsets.ts'
import { patiently } from './patiently.ts'
import { runEnd } from './run-end.ts'
import type { RunLedger } from './run-ledger.ts'

/** Clocks of machines differ by less. */
const clockMs = 60_000

/** Hears what became of the documents of a run and tells its ledger, with the offset up to which it has heard. */
export class RunFeedback {
  readonly #kafka: KafkaConfig
  readonly #run: string
  readonly #startedMs: number
  readonly #ledger: RunLedger
  readonly #stop = new AbortController()
  lastHeardMs = Date.now()

  constructor(kafka: KafkaConfig, { run, startedMs }: { run: string; startedMs: number }, ledger: RunLedger) {
    this.#kafka = kafka
    this.#run = run
    this.#startedMs = startedMs
    this.#ledger = ledger
  }

  /** Hears what has been said already: a run that goes on knows then what ended while nobody listened. Rejects with `kafka-*`. */
  async catchUp(): Promise<void> {
    await this.#hear('documents.assembled', 'end')
  }

  /** Resolves after `stop`; brokers that go away are waited for. Rejects with `kafka-*`. */
  async listen(): Promise<void> {
    await Promise.all([this.#hear('documents.assembled', 'stopped'), this.#hear('pages.gated', 'stopped')])
  }

  stop(): void {
    this.#stop.abort()
  }

  async #hear(topic: 'documents.assembled' | 'pages.gated', until: 'end' | 'stopped'): Promise<void> {
    const { counts } = this.#ledger
    const [offsets, take] =
      topic === 'pages.gated'
        ? [counts.gateOffsets, (record: ReadRecord) => this.#gated(record.payload as PageGated)]
        : [counts.offsets, (record: ReadRecord) => this.#ended(record.payload as DocumentAssembled)]
    await patiently(() => this.#follow(topic, until, offsets, take), this.#stop.signal)
  }

  async #follow(topic: TopicName, until: 'end' | 'stopped', offsets: Record<string, string>, take: (record: ReadRecord) => void): Promise<void> {
    const from = Math.max(0, this.#startedMs - clockMs)
    const records = readTopic(this.#kafka, { topic, lane: 'bulk', from, offsets: offsetsFrom(offsets), until, signal: this.#stop.signal })
    for await (const record of records) {
      if (record.run === this.#run && record.payload !== null) take(record)
      offsets[record.partition] = String(record.offset + 1n)
    }
  }

  #ended(event: DocumentAssembled): void {
    this.#ledger.heard(`${event.documentId}/${event.revision}`, runEnd(event))
    this.lastHeardMs = Date.now()
  }

  #gated({ modelUsed }: PageGated): void {
    const { gated } = this.#ledger.counts
    gated.pages++
    if (!modelUsed) gated.withoutModel++
    this.lastHeardMs = Date.now()
  }
}
