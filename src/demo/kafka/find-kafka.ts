import { brokersOfEnvironment } from '../../config/places.ts'
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
  return { brokers: cluster.addresses, from: 'Apache Kafka, started for this run', cluster, close: () => cluster.close() }
}
