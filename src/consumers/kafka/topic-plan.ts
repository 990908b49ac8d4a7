import type { KafkaConfig } from '../../config/kafka-config.ts'
import { type Lane, lanes } from '../../schema/lane.ts'
import { type TopicName, topicSchemas } from '../../schema/topics.ts'
import { isWorkTopic, kafkaTopic } from './topic-names.ts'

/** A topic as the configuration wants it. */
export interface TopicSpec {
  readonly topic: TopicName
  readonly name: string
  readonly partitions: number
  readonly replicationFactor: number
  readonly settings: Readonly<Record<string, string>>
}

/**
 * Every topic that the chain needs. Chunks are compacted: an index that is built anew reads the last state of each, and
 * tombstones take away what is gone. All else is kept for `retentionHours`.
 */
export function wantedTopics(config: KafkaConfig, ofLanes: readonly Lane[] = lanes): TopicSpec[] {
  return (Object.keys(topicSchemas) as TopicName[]).flatMap((topic) => {
    const own: readonly Lane[] = isWorkTopic(topic) ? ofLanes : ['live']
    return own.map((lane) => ({
      topic,
      name: kafkaTopic(config.topicPrefix, topic, lane),
      partitions: config.partitions,
      replicationFactor: config.replicationFactor,
      settings: settingsOf(topic, config),
    }))
  })
}

function settingsOf(topic: TopicName, { retentionHours, maxMessageBytes, replicationFactor }: KafkaConfig): Record<string, string> {
  const retention: Record<string, string> =
    topic === 'chunks' ? { 'cleanup.policy': 'compact' } : { 'cleanup.policy': 'delete', 'retention.ms': String(retentionHours * 3_600_000) }
  return {
    ...retention,
    // Brokers unpack what a sender has packed: workers need no codec, and the limit holds for what they unpack.
    'compression.type': 'uncompressed',
    'max.message.bytes': String(maxMessageBytes),
    'min.insync.replicas': String(Math.max(1, Math.min(2, replicationFactor - 1))),
  }
}
