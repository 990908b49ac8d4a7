import { randomUUID } from 'node:crypto'
import type { Admin, Consumer, KafkaMessage } from 'kafkajs'
import type { KafkaConfig } from '../../config/kafka-config.ts'
import type { Lane } from '../../schema/lane.ts'
import type { TopicName, TopicPayload } from '../../schema/topics.ts'
import { askCluster } from './ask-cluster.ts'
import { clientFailure } from './client-failure.ts'
import { carriedOn, decode } from './cloud-events.ts'
import { kafkaClient } from './kafka-client.ts'
import { leaveGroup, leaveMs } from './leave-group.ts'
import { reachCluster } from './reach-cluster.ts'
import { headerText } from './record-headers.ts'
import { kafkaTopic } from './topic-names.ts'

/** A record that somebody looks at: nothing is committed, nobody's work is taken. */
export interface ReadRecord {
  readonly partition: number
  readonly offset: bigint
  readonly timestampMs: number
  readonly key: string
  /** Of the event, from its header; empty for a record that is no event. */
  readonly id: string
  readonly traceparent?: string
  /** The run that asked for it. */
  readonly run?: string
  /** Null for a tombstone and for a record that breaks the schema of its topic. */
  readonly payload: TopicPayload<TopicName> | null
}

export interface ReadOptions {
  readonly topic: TopicName
  readonly lane?: Lane
  /** The oldest record, what comes from now on, or what was written at or after a time in milliseconds since 1970. */
  readonly from: 'earliest' | 'latest' | number
  /** Next offset of each partition, as an earlier reading left them; they win over `from`. */
  readonly offsets?: ReadonlyMap<number, bigint>
  /** What is there when the reading begins, or also all that comes after it. */
  readonly until: 'end' | 'stopped'
  readonly signal?: AbortSignal
  /** Ends when nothing has come for so long. */
  readonly idleMs?: number
}

/** Records that wait for whoever reads; more are not fetched. */
const mostWaiting = 1000
const mostWaitingBytes = 32 * 1024 ** 2
const lookMs = 50

/**
 * Reads a topic from the outside, under a group of its own that vanishes with it. In the order of each partition.
 * Rejects with `kafka-*`.
 */
export async function* readTopic(config: KafkaConfig, options: ReadOptions): AsyncIterable<ReadRecord> {
  const topic = kafkaTopic(config.topicPrefix, options.topic, options.lane ?? 'live')
  await reachCluster(config, { topics: [topic] })
  const places = await placesOf(config, topic, options)
  const ends = options.until === 'end' ? new Map(places.filter(({ start, end }) => start < end).map(({ partition, end }) => [partition, end])) : undefined
  if (ends?.size === 0) return
  const reading = new Reading(config, topic)
  try {
    await reading.start(places)
    let lastAt = Date.now()
    for (;;) {
      const message = reading.next()
      if (options.signal?.aborted) return
      if (message) {
        lastAt = Date.now()
        if (!ends || BigInt(message.offset) < (ends.get(message.partition) ?? 0n)) yield readRecord(options.topic, message)
      } else {
        if (ends && reading.hasPassed(ends)) return
        if (options.idleMs !== undefined && Date.now() - lastAt > options.idleMs) return
        await new Promise((resolve) => setTimeout(resolve, lookMs))
      }
    }
  } finally {
    await reading.close()
  }
}

/** Next offset of each partition of a topic without lanes: a reading from there hears all that is written after this. Rejects with `kafka-*`. */
export async function endOf(config: KafkaConfig, topic: TopicName): Promise<Map<number, bigint>> {
  const places = await placesOf(config, kafkaTopic(config.topicPrefix, topic, 'live'), { topic, from: 'latest', until: 'end' })
  return new Map(places.map(({ partition, end }) => [partition, end]))
}

type PlacedMessage = KafkaMessage & { readonly partition: number }

interface Place {
  readonly partition: number
  readonly start: bigint
  readonly end: bigint
}

/** The client's side of one reading. */
class Reading {
  readonly #topic: string
  readonly #consumer: Consumer
  readonly #waiting: PlacedMessage[] = []
  #waitingBytes = 0
  readonly #positions = new Map<number, bigint>()
  readonly #leaveMs: number
  #error: unknown
  #closed = false

  constructor(config: KafkaConfig, topic: string) {
    this.#topic = topic
    this.#leaveMs = leaveMs + config.maxWaitMs
    this.#consumer = kafkaClient(config).consumer({
      groupId: `${config.groupPrefix}.read-${randomUUID()}`,
      sessionTimeout: config.sessionTimeoutMs,
      heartbeatInterval: config.heartbeatIntervalMs,
      maxWaitTimeInMs: config.maxWaitMs,
      maxBytes: config.maxBytes,
      maxBytesPerPartition: config.maxBytesPerPartition,
      allowAutoTopicCreation: false,
    })
    this.#consumer.on(this.#consumer.events.CRASH, ({ payload }) => {
      if (!payload.restart) this.#error = payload.error
    })
  }

  /** Each join, also one after a failure that the client mends, begins where the last one was. */
  async start(places: readonly Place[]): Promise<void> {
    for (const { partition, start } of places) this.#positions.set(partition, start)
    this.#consumer.on(this.#consumer.events.GROUP_JOIN, () => {
      for (const [partition, position] of this.#positions) this.#consumer.seek({ topic: this.#topic, partition, offset: String(position) })
    })
    try {
      await this.#consumer.connect()
      await this.#consumer.subscribe({ topic: this.#topic, fromBeginning: true })
      await this.#consumer.run({
        autoCommit: false,
        eachBatch: async ({ batch, heartbeat }) => {
          for (const message of batch.messages) {
            while (this.#isFull && !this.#closed) {
              await heartbeat()
              await new Promise((resolve) => setTimeout(resolve, lookMs))
            }
            if (this.#closed) return
            if (BigInt(message.offset) < (this.#positions.get(batch.partition) ?? 0n)) continue
            this.#positions.set(batch.partition, BigInt(message.offset) + 1n)
            this.#waiting.push({ ...message, partition: batch.partition })
            this.#waitingBytes += bytesOf(message)
          }
          this.#positions.set(batch.partition, BigInt(batch.lastOffset()) + 1n)
        },
      })
    } catch (error) {
      throw clientFailure(error, `reading ${this.#topic}`)
    }
  }

  /** The next record that has come. Throws what ended the reading. */
  next(): PlacedMessage | undefined {
    const message = this.#waiting.shift()
    if (message) this.#waitingBytes -= bytesOf(message)
    if (!message && this.#error !== undefined) throw clientFailure(this.#error, `reading ${this.#topic}`)
    return message
  }

  get #isFull(): boolean {
    return this.#waiting.length >= mostWaiting || this.#waitingBytes >= mostWaitingBytes
  }

  /** Whether all records before these offsets have come. */
  hasPassed(ends: ReadonlyMap<number, bigint>): boolean {
    return [...ends].every(([partition, end]) => (this.#positions.get(partition) ?? 0n) >= end)
  }

  async close(): Promise<void> {
    this.#closed = true
    await leaveGroup(this.#consumer, this.#leaveMs)
  }
}

const bytesOf = ({ value }: KafkaMessage): number => value?.length ?? 0

function placesOf(config: KafkaConfig, topic: string, { from, offsets: known }: ReadOptions): Promise<Place[]> {
  return askCluster(config, `reading ${topic}`, async (admin) => {
    const offsets = await admin.fetchTopicOffsets(topic)
    const starts = typeof from === 'number' ? await startsAt(admin, topic, from) : undefined
    return offsets.map(({ partition, low, high }) => {
      const end = BigInt(high)
      const asked = from === 'earliest' ? BigInt(low) : from === 'latest' ? end : (starts?.get(partition) ?? end)
      const start = known?.get(partition) ?? asked
      return { partition, start, end }
    })
  })
}

async function startsAt(admin: Admin, topic: string, timeMs: number): Promise<Map<number, bigint>> {
  const found = await admin.fetchTopicOffsetsByTimestamp(topic, timeMs)
  return new Map(found.flatMap(({ partition, offset }) => (BigInt(offset) < 0n ? [] : [[partition, BigInt(offset)] as const])))
}

function readRecord(topic: TopicName, message: PlacedMessage): ReadRecord {
  const decoded = decode(topic, message)
  return {
    partition: message.partition,
    offset: BigInt(message.offset),
    timestampMs: Number(message.timestamp),
    key: message.key?.toString('utf8') ?? '',
    id: headerText(message.headers, 'ce_id') ?? '',
    ...carriedOn(topic, message),
    payload: 'payload' in decoded ? decoded.payload : null,
  }
}
