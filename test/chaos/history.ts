import type { Consumer, KafkaMessage } from 'kafkajs'
import type { KafkaConfig } from '../../src/config/kafka-config.ts'
import { kafkaClient } from '../../src/consumers/kafka/kafka-client.ts'
import { kafkaTopic } from '../../src/consumers/kafka/topic-names.ts'
import { type TopicName, topicSchemas } from '../../src/schema/topics.ts'

/** A record as it lies on the broker. */
export interface HistoryRecord {
  readonly topic: TopicName
  readonly partition: number
  readonly offset: bigint
  readonly timestampMs: number
  readonly key: string
  readonly id: string
  readonly body: string | null
  readonly message: KafkaMessage
}

const names = Object.keys(topicSchemas) as TopicName[]

/** Everything that is on the topics of a run, read while it goes on. */
export class History {
  readonly #config: KafkaConfig
  readonly #records = new Map<string, HistoryRecord>()
  #consumer: Consumer | undefined
  #readers = 0
  #closed = false

  constructor(config: KafkaConfig) {
    this.#config = config
  }

  get records(): HistoryRecord[] {
    return [...this.#records.values()].sort((a, b) => (a.offset < b.offset ? -1 : 1))
  }

  of(topic: TopicName): HistoryRecord[] {
    return this.records.filter((record) => record.topic === topic)
  }

  /** Reads from the beginning; when the client gives up, another one does. */
  async start(): Promise<void> {
    const consumer = kafkaClient(this.#config).consumer({
      groupId: `${this.#config.groupPrefix}.history-${this.#readers++}`,
      sessionTimeout: 6000,
      heartbeatInterval: 500,
      maxWaitTimeInMs: 200,
      allowAutoTopicCreation: false,
    })
    this.#consumer = consumer
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      if (!payload.restart && !this.#closed) this.start().catch(() => {})
    })
    const topicOf = new Map(names.map((topic) => [kafkaTopic(this.#config.topicPrefix, topic, 'live'), topic]))
    await consumer.connect()
    await consumer.subscribe({ topics: [...topicOf.keys()], fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch }) => {
        const topic = topicOf.get(batch.topic)
        for (const message of topic ? batch.messages : []) this.#add(topic as TopicName, batch.partition, message)
      },
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#consumer?.disconnect()
  }

  has(topic: TopicName, partition: number, offset: bigint): boolean {
    return this.#records.has(`${topic}/${partition}/${offset}`)
  }

  #add(topic: TopicName, partition: number, message: KafkaMessage): void {
    this.#records.set(`${topic}/${partition}/${message.offset}`, {
      ...{ topic, partition, message },
      offset: BigInt(message.offset),
      timestampMs: Number(message.timestamp),
      key: message.key?.toString() ?? '',
      id: String(message.headers?.ce_id ?? ''),
      body: message.value?.toString() ?? null,
    })
  }
}
