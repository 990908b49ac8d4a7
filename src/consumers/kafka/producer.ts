import type { Kafka, Message, Producer } from 'kafkajs'
import { PagestreamError } from '../../schema/failure.ts'
import { clientFailure, isPassing } from './client-failure.ts'
import { keyPartitioner } from './key-partitioner.ts'

/** Room in a batch for what the protocol adds to each record. */
const overheadBytes = 128
/** Share of the largest batch that one send uses: the limit counts more than what we can see. */
const fullness = 0.85
const longestPauseMs = 5000

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
 */
export class BatchingProducer {
  readonly #producer: Producer
  readonly #batchBytes: number
  #waiting: Waiting[] = []
  #sending: Promise<void> | undefined
  #closed = false
  #wakePause: () => void = () => {}

  constructor(kafka: Kafka, maxMessageBytes: number) {
    this.#producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 5,
      allowAutoTopicCreation: false,
      createPartitioner: keyPartitioner,
    })
    this.#batchBytes = Math.floor(maxMessageBytes * fullness)
  }

  async connect(): Promise<void> {
    await this.#producer.connect()
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
      const batch = this.#nextBatch()
      try {
        await this.#sendUntilAcknowledged(batch)
        for (const { delivery } of batch) if (--delivery.left === 0) delivery.resolve()
      } catch (error) {
        for (const { delivery } of batch) delivery.reject(error)
      }
    }
    // In the turn that found nothing waiting: what is asked for by those who were just answered would wait for nobody otherwise.
    this.#sending = undefined
  }

  #nextBatch(): Waiting[] {
    let bytes = 0
    let count = 0
    for (const { bytes: more } of this.#waiting) {
      if (count > 0 && bytes + more > this.#batchBytes) break
      bytes += more
      count++
    }
    return this.#waiting.splice(0, count)
  }

  async #sendUntilAcknowledged(batch: readonly Waiting[]): Promise<void> {
    const topicMessages = [...grouped(batch)].map(([topic, items]) => ({ topic, messages: items.map(({ message }) => message) }))
    for (let tries = 1; ; tries++) {
      try {
        await this.#producer.sendBatch({ acks: -1, topicMessages })
        return
      } catch (error) {
        if (!isPassing(error)) throw clientFailure(error, `publishing to ${topicMessages.map(({ topic }) => topic).join(', ')}`)
        if (this.#closed) throw new PagestreamError('cancelled', 'publishing: the producer was closed while no broker answered', { cause: error })
        await this.#pause(Math.min(longestPauseMs, 100 * 2 ** Math.min(tries, 10)))
        if (error instanceof Error && error.name === 'KafkaJSConnectionClosedError') await this.#producer.connect().catch(() => {})
      }
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

function grouped(batch: readonly Waiting[]): Map<string, Waiting[]> {
  const groups = new Map<string, Waiting[]>()
  for (const item of batch) {
    const known = groups.get(item.topic)
    if (known) known.push(item)
    else groups.set(item.topic, [item])
  }
  return groups
}

function sizeOf({ key, value, headers }: Message): number {
  let bytes = overheadBytes + length(key) + length(value)
  for (const name in headers) bytes += name.length + length(headers[name] as string)
  return bytes
}

const length = (part: Buffer | string | null | undefined): number => (part ? Buffer.byteLength(part) : 0)
