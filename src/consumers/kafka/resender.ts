import { type IHeaders, Partitioners, type Producer } from 'kafkajs'
import type { KafkaConfig } from '../../config/kafka-config.ts'
import type { OriginalRecord } from '../../schema/events.ts'
import { lanes } from '../../schema/lane.ts'
import type { TopicName } from '../../schema/topics.ts'
import { clientFailure } from './client-failure.ts'
import { submittedHeader } from './cloud-events.ts'
import { kafkaClient } from './kafka-client.ts'
import { reachCluster } from './reach-cluster.ts'
import { isWorkTopic, topicOf } from './topic-names.ts'

/** Names the record that this one repeats: topic/partition/offset. */
const replayedFrom = 'pagestream-replayed-from'

/** Which work topic of ours a record came from, undefined for any other: a dead letter may come from anybody who may write to its topic. */
export function workTopicOf(config: KafkaConfig, { topic }: OriginalRecord): TopicName | undefined {
  for (const lane of lanes) {
    const name = topicOf(config.topicPrefix, topic, lane)
    if (name && isWorkTopic(name)) return name
  }
  return undefined
}

export const placeOf = ({ topic, partition, offset }: OriginalRecord): string => `${topic}/${partition}/${offset}`

/**
 * Sends records again as they came: key, value and headers, and one header that says which record it was. A header without a value
 * gets an empty one, as the client sends no other. The replay counts as the submission: somebody has asked anew, and how long documents take is
 * not told by the days for which a letter lay.
 */
export class Resender implements AsyncDisposable {
  readonly #producer: Producer

  private constructor(config: KafkaConfig) {
    this.#producer = kafkaClient(config).producer({
      idempotent: true,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
    })
  }

  static async connect(config: KafkaConfig): Promise<Resender> {
    await reachCluster(config)
    const resender = new Resender(config)
    try {
      await resender.#producer.connect()
      return resender
    } catch (error) {
      await resender[Symbol.asyncDispose]().catch(() => undefined)
      throw clientFailure(error, `connecting to ${config.brokers.join(', ')}`)
    }
  }

  /** Resolves when it is acknowledged by all copies. */
  async send(original: OriginalRecord): Promise<void> {
    const { topic, key, value } = original
    const headers = { ...headersOf(original), [replayedFrom]: placeOf(original), [submittedHeader]: String(Date.now()) }
    try {
      await this.#producer.send({ topic, acks: -1, messages: [{ key: bytes(key), value: bytes(value), headers }] })
    } catch (error) {
      throw clientFailure(error, `publishing to ${topic}`)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#producer.disconnect()
  }
}

const bytes = (base64: string | null): Buffer | null => (base64 === null ? null : Buffer.from(base64, 'base64'))

function headersOf({ headers }: OriginalRecord): IHeaders {
  const byName = new Map<string, Buffer[]>()
  for (const [name, value] of headers) byName.set(name, [...(byName.get(name) ?? []), Buffer.from(value ?? '', 'base64')])
  return Object.fromEntries(byName)
}
