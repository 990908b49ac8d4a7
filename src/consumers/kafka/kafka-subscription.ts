import { setTimeout as sleep } from 'node:timers/promises'
import type { EachBatchPayload, KafkaMessage } from 'kafkajs'
import type { KafkaConfig } from '../../config/kafka-config.ts'
import type { Lane } from '../../schema/lane.ts'
import type { TopicName } from '../../schema/topics.ts'
import type { Epoch, InRecord, PartitionOffset, SubscribeHandlers, SubscribeOptions, Subscription, TopicPartition } from '../bus.ts'
import { clientFailure, isCoordinatorMissing, isPassing } from './client-failure.ts'
import { carriedOn, decode } from './cloud-events.ts'
import { FencedConsumer } from './fenced-consumer.ts'
import type { KafkaClient } from './kafka-client.ts'
import { headerList } from './record-headers.ts'
import { kafkaTopic, topicOf } from './topic-names.ts'

interface Place {
  readonly topic: string
  readonly partition: number
}

/** Between tries to join again. */
const againMs = 1000

const placeKey = ({ topic, partition }: Place): string => `${topic}/${partition}`

/**
 * One member of a consumer group. What kafkajs says late or not at all is put right here: the assignment is taken from GROUP_JOIN,
 * batches of partitions that are not ours are dropped, pauses are set anew after every join, a crash that kafkajs does not
 * mend ends the subscription with `fatal`.
 */
export class KafkaSubscription implements Subscription {
  readonly #lane: Lane
  readonly #prefix: string
  readonly #on: SubscribeHandlers
  readonly #member: FencedConsumer
  readonly #assigned = new Map<string, Place>()
  readonly #paused = new Set<string>()
  readonly #topics: readonly TopicName[]
  #hasJoined = false
  #settleJoin: (failure?: unknown) => void = () => {}
  /** Resolves with the first assignment, or with what ended the client before it. */
  readonly #firstJoin = new Promise<unknown>((resolve) => {
    this.#settleJoin = resolve
  })
  #closed = false

  private constructor(kafka: KafkaClient, config: KafkaConfig, lane: Lane, { group, topics }: SubscribeOptions, on: SubscribeHandlers) {
    this.#topics = topics
    this.#lane = lane
    this.#prefix = config.topicPrefix
    this.#on = on
    this.#member = new FencedConsumer(kafka, {
      groupId: `${config.groupPrefix}.${group}.${lane}`,
      sessionTimeout: config.sessionTimeoutMs,
      heartbeatInterval: config.heartbeatIntervalMs,
      rebalanceTimeout: 60_000,
      maxWaitTimeInMs: config.maxWaitMs,
      maxBytes: config.maxBytes,
      maxBytesPerPartition: config.maxBytesPerPartition,
      allowAutoTopicCreation: false,
    })
  }

  /** Resolves when the group has let us in, after `assigned`. Rejects with `kafka-topic-missing`, `kafka-refused`, `kafka-unreachable`. */
  static async join(kafka: KafkaClient, config: KafkaConfig, lane: Lane, options: SubscribeOptions, on: SubscribeHandlers): Promise<KafkaSubscription> {
    const subscription = new KafkaSubscription(kafka, config, lane, options, on)
    const { consumer } = subscription.#member
    const { GROUP_JOIN, CRASH } = consumer.events
    // An exception in a listener would end in the client's own stack.
    const guarded =
      <T>(listener: (event: T) => void) =>
      (event: T) => {
        try {
          listener(event)
        } catch (error) {
          on.fatal(error instanceof Error ? error : new Error(String(error)))
        }
      }
    consumer.on(
      GROUP_JOIN,
      guarded(({ payload }) => subscription.#joined(payload.memberAssignment)),
    )
    consumer.on(
      CRASH,
      guarded(({ payload }) => {
        if (!payload.restart) void subscription.#crashed(payload.error)
      }),
    )
    try {
      await subscription.#run()
      const failure = await subscription.#firstJoin // the client says that it runs also when it has crashed
      if (failure !== undefined) throw failure
      return subscription
    } catch (error) {
      await subscription.close().catch(() => {})
      throw clientFailure(error, `joining the group of ${options.topics.join(', ')}`)
    }
  }

  async #run(): Promise<void> {
    const { consumer } = this.#member
    await consumer.connect()
    for (const topic of this.#topics) await consumer.subscribe({ topic: kafkaTopic(this.#prefix, topic, this.#lane), fromBeginning: true })
    await consumer.run({ autoCommit: false, eachBatch: async (batch) => this.#take(batch) })
  }

  /** The client gives up where no broker coordinates the group: a broker that goes or comes says so too, so who was in the group joins again. */
  async #crashed(cause: unknown): Promise<void> {
    let error = cause
    while (!this.#closed) {
      if (!this.#hasJoined) return this.#settleJoin(error)
      if (!(isCoordinatorMissing(error) || isPassing(error))) return this.#on.fatal(clientFailure(error, `reading ${this.#topics.join(', ')}`))
      await sleep(againMs)
      await this.#member.removeLeftOvers()
      if (this.#closed) return
      try {
        return await this.#run()
      } catch (failure) {
        error = failure
      }
    }
  }

  pause(partitions: readonly TopicPartition[]): void {
    for (const place of partitions) this.#paused.add(placeKey(this.#place(place)))
    this.#applyPauses()
  }

  resume(partitions: readonly TopicPartition[]): void {
    for (const place of partitions) this.#paused.delete(placeKey(this.#place(place)))
    this.#applyPauses()
  }

  async commit(epoch: Epoch, nextOffsets: readonly PartitionOffset[]): Promise<'committed' | 'fenced'> {
    const byTopic = new Map<string, { partition: number; offset: string }[]>()
    for (const { topic, partition, offset } of nextOffsets) {
      const place = this.#place({ topic, partition })
      if (!this.#assigned.has(placeKey(place))) return 'fenced'
      const offsets = byTopic.get(place.topic) ?? []
      offsets.push({ partition, offset: String(offset) })
      byTopic.set(place.topic, offsets)
    }
    return this.#member.commit(
      epoch,
      [...byTopic].map(([topic, partitions]) => ({ topic, partitions })),
    )
  }

  async close(lastCommits?: Promise<void>): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#member.close(lastCommits)
  }

  #joined(assignment: Readonly<Record<string, readonly number[]>>): void {
    this.#hasJoined = true
    const before = [...this.#assigned.values()]
    const last = this.#member.epoch
    const epoch = this.#member.joined(Object.entries(assignment).map(([topic, partitions]) => ({ topic, partitions })))
    this.#assigned.clear()
    for (const [topic, partitions] of Object.entries(assignment)) {
      for (const partition of partitions) this.#assigned.set(placeKey({ topic, partition }), { topic, partition })
    }
    const lost = before.filter((place) => !this.#assigned.has(placeKey(place)))
    for (const place of lost) this.#paused.delete(placeKey(place))
    if (lost.length > 0) this.#on.revoked(last, this.#ours(lost), 'lost')
    this.#on.assigned(epoch, this.#ours([...this.#assigned.values()]))
    this.#applyPauses()
    this.#settleJoin()
  }

  /** Copies what it needs: the client's buffers hold whole fetches. Returns at once, the position moves on. */
  #take({ batch }: EachBatchPayload): void {
    const topic = topicOf(this.#prefix, batch.topic, this.#lane)
    if (!topic || this.#closed || !this.#assigned.has(placeKey(batch))) return
    const records = batch.messages.map((message) => inRecord(topic, batch, message))
    if (records.length > 0) this.#on.records({ epoch: this.#member.epoch, records })
  }

  /** After a join kafkajs keeps stale pauses and forgets others: what is wished is said in full. */
  #applyPauses(): void {
    const [paused, open] = [new Map<string, number[]>(), new Map<string, number[]>()]
    for (const [key, { topic, partition }] of this.#assigned) {
      const into = this.#paused.has(key) ? paused : open
      into.set(topic, [...(into.get(topic) ?? []), partition])
    }
    const asList = (map: Map<string, number[]>) => [...map].map(([topic, partitions]) => ({ topic, partitions }))
    if (this.#assigned.size === 0 || this.#closed) return
    try {
      this.#member.consumer.resume(asList(open))
      this.#member.consumer.pause(asList(paused))
    } catch (error) {
      // Between a crash and the next join the client has no group to pause; after the join it is said anew.
      if (!(error instanceof Error && error.name === 'KafkaJSNonRetriableError')) throw error
    }
  }

  #place = ({ topic, partition }: TopicPartition): Place => ({ topic: kafkaTopic(this.#prefix, topic, this.#lane), partition })

  #ours(places: readonly Place[]): TopicPartition[] {
    return places.flatMap(({ topic, partition }) => {
      const name: TopicName | undefined = topicOf(this.#prefix, topic, this.#lane)
      return name ? [{ topic: name, partition }] : []
    })
  }
}

function inRecord(topic: TopicName, { topic: name, partition }: EachBatchPayload['batch'], message: KafkaMessage): InRecord {
  const { key, value, timestamp } = message
  const headers = headerList(message.headers)
  const decoded = decode(topic, message)
  return {
    topic,
    partition,
    offset: BigInt(message.offset),
    key: key?.toString('utf8') ?? '',
    origin: { topic: name, timestamp, key: key && Buffer.from(key), value: value && Buffer.from(value), headers },
    bytes: headers.reduce((sum, [header, bytes]) => sum + header.length + (bytes?.length ?? 0), (value?.length ?? 0) + (key?.length ?? 0)),
    writtenMs: Number(timestamp),
    ...carriedOn(topic, message),
    ...('broken' in decoded ? { payload: null, broken: decoded.broken } : decoded),
  }
}
