import { randomUUID } from 'node:crypto'
import { type Broker, type Cluster, Kafka, type logCreator } from 'kafkajs'
import type { KafkaConfig } from '../../config/kafka-config.ts'
import { ClientSockets } from './client-sockets.ts'
import { clientSettings } from './kafka-settings.ts'

/** What the client's own consumers ask a coordinator, which its types leave out in part. */
export interface Coordinator {
  readonly describeGroups: (asked: { readonly groupIds: readonly string[] }) => Promise<{ readonly groups: readonly DescribedGroup[] }>
  readonly leaveGroup: (asked: { readonly groupId: string; readonly memberId: string }) => Promise<unknown>
}

interface DescribedGroup {
  readonly members: readonly { readonly memberId: string; readonly clientId: string }[]
}

/** Connections to a cluster for a question that no other part of the client asks. */
export interface ClusterAccess {
  connect(): Promise<void>
  findCoordinator(groupId: string): Promise<Coordinator>
  close(): Promise<void>
}

/** What makes the parts of a client. */
export interface KafkaClient extends Pick<Kafka, 'admin' | 'consumer' | 'producer'> {
  /** Brokers know its consumers by this name, and no other's. */
  readonly consumerName: string
  /** Whatever its consumers are at, they reach no broker any more. */
  cutOffConsumers(): void
  cluster(): ClusterAccess
}

/** Each part has a client of its own: two consumers of one group made from one client share a cache of committed offsets, and all parts its connections. */
export function kafkaClient(
  config: KafkaConfig,
  { log, retries, requestTimeout }: { log?: logCreator | undefined; retries?: number; requestTimeout?: number } = {},
): KafkaClient {
  const settings = {
    ...clientSettings(config),
    logCreator: log ?? silent,
    ...(retries !== undefined && { retry: { retries } }),
    ...(requestTimeout !== undefined && { requestTimeout }),
  }
  const consumerName = `${settings.clientId}-${randomUUID().slice(0, 8)}`
  const consumers = new ClientSockets()
  const own = () => {
    const { make, endAll } = new ClientSockets()
    return { kafka: new Kafka({ ...settings, socketFactory: make }), endAll }
  }
  return {
    consumerName,
    cutOffConsumers: consumers.cutOff,
    admin(options) {
      const { kafka, endAll } = own()
      const admin = kafka.admin(options)
      admin.on(admin.events.DISCONNECT, endAll)
      return admin
    },
    consumer(options) {
      const consumer = new Kafka({ ...settings, clientId: consumerName, socketFactory: consumers.make }).consumer(options)
      consumer.on(consumer.events.DISCONNECT, consumers.endAll)
      return consumer
    },
    producer(options) {
      const { kafka, endAll } = own()
      const producer = kafka.producer(options)
      producer.on(producer.events.DISCONNECT, endAll)
      return producer
    },
    cluster() {
      const { make, endAll } = new ClientSockets()
      const cluster = clusterOf(new Kafka({ ...settings, retry: { retries: 0 }, socketFactory: make }))
      return {
        async connect() {
          await cluster.connect()
          await cluster.refreshMetadata() // which it looks for coordinators in
        },
        findCoordinator: async (groupId) => (await cluster.findGroupCoordinator({ groupId })) as Broker & Coordinator,
        async close() {
          await cluster.disconnect().catch(() => {})
          endAll()
        },
      }
    },
  }
}

/** The client keeps what makes its clusters under a symbol. */
function clusterOf(kafka: Kafka): Cluster {
  const symbol = Object.getOwnPropertySymbols(kafka).find(({ description }) => description === 'private:Kafka:createCluster')
  const create = symbol && (kafka as unknown as Record<symbol, (options: object) => Cluster>)[symbol]
  if (!create) throw new Error('reaching the cluster: this version of kafkajs makes its clusters elsewhere')
  return create({ allowAutoTopicCreation: false })
}

const silent: logCreator = () => () => {}
