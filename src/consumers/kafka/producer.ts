import type { Message, Producer, RecordMetadata } from 'kafkajs'
import { PagestreamError } from '../../schema/failure.ts'
import { clientFailure, isMiscount, isPassing } from './client-failure.ts'
import type { KafkaClient } from './kafka-client.ts'
import { keyPartitioner } from './key-partitioner.ts'
import './record-encoder.ts'

/** Room in a batch for what the protocol adds to each record. */
const overheadBytes = 128
/** Share of the largest batch that one send uses: the limit counts more than what we can see. */
const fullness = 0.85
const longestPauseMs = 5000
/** A send that has left less than this behind waits for more: requests cost more than the records in them. */
const worthwhileBytes = 64 * 1024
const lingerMs = 5

/** A record and where it goes. */
export interface Addressed {
  readonly topic: string
  readonly message: Message
}

/** Records that are asked for together and answered for together. */
interface Delivery {
  /** Records of it that are not acknowledged. */
  left: number
  resolve(): void
  reject(error: unknown): void
}

interface Waiting extends Addressed {
  readonly bytes: number
  readonly delivery: Delivery
}

/**
 * Sends records with acknowledgement by all copies. What is asked for while a send is under way goes together in the next one,
 * within the size of a batch. A broker that is away is waited for: a send ends when it is acknowledged, when it can never be,
 * or when the producer is closed.
 *
 * The client counts what it sends to each partition, so that brokers drop what is sent twice. When one partition refuses its part of a
 * request, the client takes the count of all of them back, also of those that have kept theirs: what is sent next with the old count
 * is refused, or, where it is as many records as before, dropped as sent twice. So no count is used again after a refusal.
 */
export class BatchingProducer {
  readonly #make: () => Producer
  #producer: Producer
  #connected = false
  /** Partitions that records of the send under way belong to, by topic. */
  #addressed = new Map<string, Set<number>>()
  readonly #batchBytes: number
  #waiting: Waiting[] = []
  #waitingBytes = 0
  #sending: Promise<void> | undefined
  #closed = false
  #wakePause: () => void = () => {}

  constructor(kafka: Pick<KafkaClient, 'producer'>, maxMessageBytes: number) {
    this.#make = () =>
      kafka.producer({
        idempotent: true,
        maxInFlightRequests: 5,
        allowAutoTopicCreation: false,
        createPartitioner: () => this.#notingPartitioner(),
      })
    this.#producer = this.#make()
    this.#batchBytes = Math.floor(maxMessageBytes * fullness)
  }

  /** Records that wait, and their bytes. */
  get waiting(): { readonly records: number; readonly bytes: number } {
    return { records: this.#waiting.length, bytes: this.#waitingBytes }
  }

  async connect(): Promise<void> {
    await this.#producer.connect()
    this.#connected = true
  }

  /** Resolves when all are acknowledged. Rejects with `message-too-large`, `kafka-refused` or `cancelled`; others of them may be sent all the same. */
  send(records: readonly Addressed[]): Promise<void> {
    if (records.length === 0) return Promise.resolve()
    if (this.#closed) return Promise.reject(new PagestreamError('cancelled', `publishing to ${records[0]?.topic}: the producer is closed`))
    const sizes = records.map(({ message }) => sizeOf(message))
    const tooLarge = sizes.findIndex((bytes) => bytes > this.#batchBytes)
    if (tooLarge >= 0) {
      const what = `publishing to ${records[tooLarge]?.topic}: a record of ${sizes[tooLarge]} bytes`
      return Promise.reject(new PagestreamError('message-too-large', `${what} is larger than kafka.maxMessageBytes allows`))
    }
    return new Promise((resolve, reject) => {
      const delivery = { left: records.length, resolve, reject }
      for (const [i, { topic, message }] of records.entries()) this.#waiting.push({ topic, message, bytes: sizes[i] ?? 0, delivery })
      this.#waitingBytes += sizes.reduce((sum, bytes) => sum + bytes, 0)
      this.#sending ??= this.#sendAll()
    })
  }

  /** Sends what waits, then leaves. */
  async close(): Promise<void> {
    this.#closed = true
    this.#wakePause()
    await this.#sending
    await this.#producer.disconnect()
  }

  async #sendAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve)) // callers of the same turn share the first send
    while (this.#waiting.length > 0) {
      await this.#settle(this.#nextBatch())
      if (this.#waitingBytes < worthwhileBytes && !this.#closed) await this.#pause(lingerMs)
    }
    // In the turn that found nothing waiting: what is asked for by those who were just answered would wait for nobody otherwise.
    this.#sending = undefined
  }

  async #settle(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#sendUntilAcknowledged(batch)
      for (const { delivery } of batch) if (--delivery.left === 0) delivery.resolve()
    } catch (error) {
      await this.#beginAnew()
      const deliveries = grouped(batch, ({ delivery }) => delivery)
      const isOfOne = error instanceof PagestreamError && error.code === 'message-too-large'
      // A topic may take smaller records than the producer: one of them is to blame, not all that went with it.
      if (isOfOne && deliveries.size > 1) for (const items of deliveries.values()) await this.#settle(items)
      else for (const delivery of deliveries.keys()) delivery.reject(error)
    }
  }

  #nextBatch(): Waiting[] {
    let bytes = 0
    let count = 0
    for (const { bytes: more } of this.#waiting) {
      if (count > 0 && bytes + more > this.#batchBytes) break
      bytes += more
      count++
    }
    this.#waitingBytes -= bytes
    return this.#waiting.splice(0, count)
  }

  async #sendUntilAcknowledged(batch: readonly Waiting[]): Promise<void> {
    const topicMessages = [...grouped(batch, ({ topic }) => topic)].map(([topic, items]) => ({ topic, messages: items.map(({ message }) => message) }))
    for (let tries = 1; ; tries++) {
      try {
        if (!this.#connected) await this.connect()
        this.#addressed = new Map()
        if (this.#answersAll(await this.#producer.sendBatch({ acks: -1, topicMessages }))) return
        await this.#pause(pauseMs(tries))
      } catch (error) {
        if (!isPassing(error)) throw clientFailure(error, `publishing to ${topicMessages.map(({ topic }) => topic).join(', ')}`)
        if (this.#closed) throw new PagestreamError('cancelled', 'publishing: the producer was closed while no broker answered', { cause: error })
        await this.#pause(pauseMs(tries))
        if (isMiscount(error)) await this.#beginAnew()
        else if (error instanceof Error && error.name === 'KafkaJSConnectionClosedError') this.#connected = false
      }
    }
  }

  /** With a producer id of its own, whose count begins at nothing. */
  async #beginAnew(): Promise<void> {
    const old = this.#producer
    this.#producer = this.#make()
    this.#connected = false
    await old.disconnect().catch(() => undefined)
  }

  /** The client tries again by itself: a partition whose leader has moved to a broker that has answered already is forgotten then. */
  #answersAll(answers: readonly RecordMetadata[]): boolean {
    for (const { topicName, partition } of answers) this.#addressed.get(topicName)?.delete(partition)
    for (const left of this.#addressed.values()) if (left.size > 0) return false
    return true
  }

  #notingPartitioner(): ReturnType<typeof keyPartitioner> {
    const pick = keyPartitioner()
    return (record) => {
      const partition = pick(record)
      const known = this.#addressed.get(record.topic)
      if (known) known.add(partition)
      else this.#addressed.set(record.topic, new Set([partition]))
      return partition
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wakePause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

const pauseMs = (tries: number): number => Math.min(longestPauseMs, 100 * 2 ** Math.min(tries, 10))

function grouped<K>(batch: readonly Waiting[], keyOf: (item: Waiting) => K): Map<K, Waiting[]> {
  const groups = new Map<K, Waiting[]>()
  for (const item of batch) {
    const key = keyOf(item)
    const known = groups.get(key)
    if (known) known.push(item)
    else groups.set(key, [item])
  }
  return groups
}

function sizeOf({ key, value, headers }: Message): number {
  let bytes = overheadBytes + length(key) + length(value)
  for (const name in headers) bytes += name.length + length(headers[name] as string)
  return bytes
}

const length = (part: Buffer | string | null | undefined): number => (part ? Buffer.byteLength(part) : 0)
