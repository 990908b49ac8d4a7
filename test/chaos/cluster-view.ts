import type { Admin } from 'kafkajs'
import type { KafkaConfig } from '../../src/config/kafka-config.ts'
import { kafkaClient } from '../../src/consumers/kafka/kafka-client.ts'
import { kafkaTopic, workTopics } from '../../src/consumers/kafka/topic-names.ts'
import { stageNames } from '../../src/schema/stage.ts'
import { type TopicName, topicSchemas } from '../../src/schema/topics.ts'
import type { CommitSample } from './check-history.ts'
import type { History } from './history.ts'

/** What the broker says of offsets: where topics end, how far their groups have come. */
export class ClusterView {
  readonly #config: KafkaConfig
  readonly #admin: Admin
  readonly samples: CommitSample[] = []

  constructor(config: KafkaConfig) {
    this.#config = config
    this.#admin = kafkaClient(config).admin()
  }

  async connect(): Promise<void> {
    await this.#admin.connect()
  }

  async close(): Promise<void> {
    await this.#admin.disconnect()
  }

  async ends(topic: TopicName): Promise<{ partition: number; offset: bigint }[]> {
    const ends = await this.#admin.fetchTopicOffsets(kafkaTopic(this.#config.topicPrefix, topic, 'live'))
    return ends.map(({ partition, high }) => ({ partition, offset: BigInt(high) }))
  }

  /** Notes the committed offsets of all stages; answers with the records that are not committed, by topic. */
  async sample(): Promise<Map<TopicName, bigint>> {
    const open = new Map<TopicName, bigint>()
    for (const [index, topic] of workTopics.entries()) {
      const groupId = `${this.#config.groupPrefix}.${stageNames[index]}.live`
      const [committed] = await this.#admin.fetchOffsets({ groupId, topics: [kafkaTopic(this.#config.topicPrefix, topic, 'live')] })
      const atMs = Date.now()
      const at = new Map((committed?.partitions ?? []).map(({ partition, offset }) => [partition, BigInt(offset) < 0n ? 0n : BigInt(offset)]))
      for (const [partition, offset] of at) if (offset > 0n) this.samples.push({ topic, partition, offset, atMs })
      const left = (await this.ends(topic)).reduce((sum, { partition, offset }) => sum + offset - (at.get(partition) ?? 0n), 0n)
      if (left > 0n) open.set(topic, left)
    }
    return open
  }

  /** Whether the history has come to the end of every topic. */
  async isRead(history: History): Promise<boolean> {
    for (const topic of Object.keys(topicSchemas) as TopicName[]) {
      for (const { partition, offset } of await this.ends(topic)) if (offset > 0n && !history.has(topic, partition, offset - 1n)) return false
    }
    return true
  }
}
