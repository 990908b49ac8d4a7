import { kafkaConfigSchema } from '../../config/kafka-config.ts'
import { brokersOfEnvironment } from '../../config/places.ts'
import { TopicAdmin } from '../../consumers/kafka/topic-admin.ts'
import { brokerJars } from './broker-jars.ts'
import { type Cluster, startCluster } from './cluster.ts'

/** A real Apache Kafka to talk to. */
export interface FoundKafka {
  readonly brokers: readonly string[]
  /** Where it came from, for people. */
  readonly from: string
  /** The cluster, when it is ours to stop and start. */
  readonly cluster?: Cluster
  close(): Promise<void>
}

/**
 * Finds a broker: the one that `KAFKA_BROKERS` names, else Apache Kafka's own jars, fetched by Maven and started on Java.
 * `missing` says what would be needed.
 */
export async function findKafka(): Promise<FoundKafka | { readonly missing: string }> {
  const named = brokersOfEnvironment()
  if (named.length > 0) return { brokers: named, from: 'KAFKA_BROKERS', close: async () => {} }
  const jars = await brokerJars()
  if ('missing' in jars) return { missing: `a broker: KAFKA_BROKERS, or Maven and ${jars.missing}` }
  const cluster = await startCluster(jars.folder)
  await warm(cluster.addresses)
  return { brokers: cluster.addresses, from: 'Apache Kafka, started for this run', cluster, close: () => cluster.close() }
}

/** The first topic and the first group of a new broker wait for its internal topics: nobody's test should. */
async function warm(brokers: readonly string[]): Promise<void> {
  const config = kafkaConfigSchema.parse({ brokers, topicPrefix: 'warm-up', groupPrefix: 'warm-up', partitions: 1 })
  await using admin = await TopicAdmin.connect(config)
  await admin.apply()
  await admin.groupsAreServed()
}
