import { kafkaConfigSchema } from '../../config/kafka-config.ts'
import { brokersOfEnvironment } from '../../config/places.ts'
import { TopicAdmin } from '../../consumers/kafka/topic-admin.ts'
import { reasonOf } from '../../schema/reason.ts'
import { brokerJars } from './broker-jars.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { startContainer } from './container-broker.ts'
import { dockerAnswers } from './docker-engine.ts'

/** A real Apache Kafka to talk to. */
export interface FoundKafka {
  readonly brokers: readonly string[]
  /** Where it came from, for people. */
  readonly from: string
  /** The cluster, when it is ours to stop and start. */
  readonly cluster?: Cluster
  close(): Promise<void>
}

/** Where brokers come from; a parameter so that the order can be tested. */
export interface BrokerSources {
  named(): readonly string[]
  dockerAnswers(): Promise<boolean>
  container(): Promise<Pick<Cluster, 'addresses' | 'close'>>
  jars(): Promise<{ readonly folder: string } | { readonly missing: string }>
  cluster(folder: string): Promise<Cluster>
  /** Waits until a new broker serves topics and groups. */
  warm(brokers: readonly string[]): Promise<void>
}

const sources: BrokerSources = {
  named: brokersOfEnvironment,
  dockerAnswers,
  container: startContainer,
  jars: brokerJars,
  cluster: startCluster,
  warm,
}

/**
 * Finds a broker: the one that `KAFKA_BROKERS` names, else one in a container where a Docker engine answers, else Apache Kafka's own
 * jars, fetched by Maven and started on Java. A container that does not start is passed over. `missing` says what would be needed.
 */
export async function findKafka(from: BrokerSources = sources): Promise<FoundKafka | { readonly missing: string }> {
  const named = from.named()
  if (named.length > 0) return { brokers: named, from: 'KAFKA_BROKERS', close: async () => {} }
  const container = (await from.dockerAnswers()) ? await from.container().catch((error: unknown) => reasonOf(error)) : 'no engine answers'
  if (typeof container !== 'string') {
    return await warmed(from, container, { brokers: container.addresses, from: 'Apache Kafka in a container', close: () => container.close() })
  }
  const jars = await from.jars()
  if ('missing' in jars) return { missing: `a broker: KAFKA_BROKERS, or Docker (${container}), or Maven and ${jars.missing}` }
  const cluster = await from.cluster(jars.folder)
  return await warmed(from, cluster, { brokers: cluster.addresses, from: 'Apache Kafka, started for this run', cluster, close: () => cluster.close() })
}

/** What was started is ended again when it does not come to serve. */
async function warmed(from: BrokerSources, started: Pick<Cluster, 'close'>, found: FoundKafka): Promise<FoundKafka> {
  try {
    await from.warm(found.brokers)
    return found
  } catch (error) {
    await started.close()
    throw error
  }
}

/** The first topic and the first group of a new broker wait for its internal topics: nobody's test should. */
async function warm(brokers: readonly string[]): Promise<void> {
  const config = kafkaConfigSchema.parse({ brokers, topicPrefix: 'warm-up', groupPrefix: 'warm-up', partitions: 1 })
  await using admin = await TopicAdmin.connect(config)
  await admin.apply()
  await admin.groupsAreServed()
}
