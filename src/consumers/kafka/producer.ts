import { type Kafka, type Message, Partitioners, type Producer } from 'kafkajs'
import { PagestreamError } from '../../schema/failure.ts'
import { clientFailure, isPassing } from './client-failure.ts'

/** Room in a batch for what the protocol adds to each record. */
const overheadBytes = 128
/** Share of the largest batch that one send uses: the limit counts more than what we can see. */
const fullness = 0.85
const longestPauseMs = 5000

interface Waiting {
  readonly topic: string
  readonly message: Message
  readonly bytes: number
  resolve(): void
  reject(error: unknown): void
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
      createPartitioner: Partitioners.DefaultPartitioner,
    })
    this.#batchBytes = Math.floor(maxMessageBytes * fullness)
  }

  async connect(): Promise<void> {
    await this.#producer.connect()
  }

  /** Resolves when it is acknowledged. Rejects with `message-too-large`, `kafka-refused` or `cancelled`. */
  send(topic: string, message: Message): Promise<void> {
    if (this.#closed) return Promise.reject(new PagestreamError('cancelled', `publishing to ${topic}: the producer is closed`))
    const bytes = sizeOf(message)
    if (bytes > this.#batchBytes) {
      return Promise.reject(
        new PagestreamError('message-too-large', `publishing to ${topic}: a record of ${bytes} bytes is larger than kafka.maxMessageBytes allows`),
      )
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ topic, message, bytes, resolve, reject })
      this.#sending ??= this.#sendAll().finally(() => {
        this.#sending = undefined
      })
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
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
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
  for (const [name, text] of Object.entries(headers ?? {})) bytes += name.length + length(text as string)
  return bytes
}

const length = (part: Buffer | string | null | undefined): number => (part ? Buffer.byteLength(part) : 0)
