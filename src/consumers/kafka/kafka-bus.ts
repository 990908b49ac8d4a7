import type { logCreator } from 'kafkajs'
import type { KafkaConfig } from '../../config/kafka-config.ts'
import type { Lane } from '../../schema/lane.ts'
import type { TopicName } from '../../schema/topics.ts'
import type { Distribution } from '../../telemetry/distribution.ts'
import type { Bus, OutRecord, SubscribeHandlers, SubscribeOptions, Subscription } from '../bus.ts'
import { clientFailure } from './client-failure.ts'
import { encode } from './cloud-events.ts'
import { kafkaClient } from './kafka-client.ts'
import { KafkaSubscription } from './kafka-subscription.ts'
import { BatchingProducer } from './producer.ts'
import { reachCluster } from './reach-cluster.ts'
import { kafkaTopic } from './topic-names.ts'

export interface ConnectOptions {
  readonly topics?: readonly TopicName[]
  readonly log?: logCreator
  /** Seconds from when records are asked to be sent until they are acknowledged. */
  readonly publishSeconds?: Distribution
}

/** One lane of the bus over Apache Kafka. */
export class KafkaBus implements Bus {
  readonly #config: KafkaConfig
  readonly #lane: Lane
  readonly #log: logCreator | undefined
  readonly #publishSeconds: Distribution | undefined
  readonly #producer: BatchingProducer
  readonly #subscriptions = new Set<KafkaSubscription>()

  private constructor(config: KafkaConfig, lane: Lane, { log, publishSeconds }: ConnectOptions) {
    this.#config = config
    this.#lane = lane
    this.#log = log
    this.#publishSeconds = publishSeconds
    this.#producer = new BatchingProducer(kafkaClient(config, { log }), config.maxMessageBytes)
  }

  /** `topics` must be there. Rejects with `configuration`, `kafka-refused`, `kafka-forbidden`, `kafka-topic-missing` or `kafka-unreachable`. */
  static async connect(config: KafkaConfig, lane: Lane, options: ConnectOptions = {}): Promise<KafkaBus> {
    const { topics = [] } = options
    await reachCluster(config, { topics: topics.map((topic) => kafkaTopic(config.topicPrefix, topic, lane)) })
    const bus = new KafkaBus(config, lane, options)
    try {
      await bus.#producer.connect()
      return bus
    } catch (error) {
      await bus.close().catch(() => undefined)
      throw clientFailure(error, `connecting to ${config.brokers.join(', ')}`)
    }
  }

  /** What waits to be sent. */
  get sending(): { readonly records: number; readonly bytes: number } {
    return this.#producer.waiting
  }

  async publish(records: readonly OutRecord[]): Promise<void> {
    const askedAt = performance.now()
    await this.#producer.send(records.map((record) => ({ topic: kafkaTopic(this.#config.topicPrefix, record.topic, this.#lane), message: encode(record) })))
    this.#publishSeconds?.observe((performance.now() - askedAt) / 1000)
  }

  async subscribe(options: SubscribeOptions, on: SubscribeHandlers): Promise<Subscription> {
    const subscription = await KafkaSubscription.join(kafkaClient(this.#config, { log: this.#log }), this.#config, this.#lane, options, on)
    this.#subscriptions.add(subscription)
    return subscription
  }

  /** A topic on a broker outlives its readers: there may always be one. */
  wanted(_topic: TopicName): boolean {
    return true
  }

  async close(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.close()))
    await this.#producer.close()
  }
}
