import type { Failure } from '../schema/failure.ts'
import type { TopicName, TopicPayload } from '../schema/topics.ts'

/** Our number for one assignment of partitions. Work taken in under one epoch is never committed under another. */
export type Epoch = number

export interface TopicPartition {
  readonly topic: TopicName
  readonly partition: number
}

export interface PartitionOffset extends TopicPartition {
  /** The next offset to read: one past the last finished record. */
  readonly offset: bigint
}

/** A record to be published; the payload is checked against the topic's schema. `null` is a tombstone: what had this key is gone. */
export interface OutRecord<T extends TopicName = TopicName> {
  readonly topic: T
  readonly key: string
  readonly payload: TopicPayload<T> | null
  /** W3C trace context of the work that it came from. */
  readonly traceparent?: string
  /** Id of the run that asked for it, such as a backfill; events that follow from it have it too. */
  readonly run?: string
  /** When the document that it belongs to was submitted, in milliseconds since 1970; events that follow from it have it too. */
  readonly submittedMs?: number
}

/** The bytes of a record on a broker. They may be anything. */
export interface RecordOrigin {
  /** Name on the broker. */
  readonly topic: string
  /** Milliseconds since 1970. */
  readonly timestamp: string
  readonly key: Buffer | null
  readonly value: Buffer | null
  readonly headers: readonly (readonly [name: string, value: Buffer | null])[]
}

export interface InRecord extends TopicPartition {
  readonly offset: bigint
  readonly key: string
  /** Parsed and checked at the door; null for a tombstone and for a record that is broken. */
  readonly payload: TopicPayload<TopicName> | null
  /** Why a record is no event of its topic. */
  readonly broken?: Failure
  /** The record as it came, for a dead letter; absent in one process. */
  readonly origin?: RecordOrigin
  /** Of key, value and headers as they came; 0 for live objects. */
  readonly bytes: number
  /** When it was written, in milliseconds since 1970. */
  readonly writtenMs: number
  readonly traceparent?: string
  readonly run?: string
  readonly submittedMs?: number
}

export interface RecordBatch {
  readonly epoch: Epoch
  readonly records: readonly InRecord[]
}

/** A group that has no offset yet begins with all that is there: work is never skipped. */
export interface SubscribeOptions {
  readonly group: string
  readonly topics: readonly TopicName[]
}

export interface SubscribeHandlers {
  /** Returns at once: it copies what it needs into its own bounded buffer. */
  records(batch: RecordBatch): void
  assigned(epoch: Epoch, partitions: readonly TopicPartition[]): void
  /** May come late: what protects is the fence in `commit`. */
  revoked(epoch: Epoch, partitions: readonly TopicPartition[], how: 'clean' | 'lost'): void
  /** The process cannot go on with this subscription. */
  fatal(error: Error): void
}

export interface Subscription {
  pause(partitions: readonly TopicPartition[]): void
  resume(partitions: readonly TopicPartition[]): void
  /** Never commits under another epoch, never answers 'committed' without an acknowledgement. */
  commit(epoch: Epoch, nextOffsets: readonly PartitionOffset[]): Promise<'committed' | 'fenced'>
  /**
   * Leaves the group when `lastCommits` has settled; commits that cannot be made within seconds are given up. What was not committed comes
   * again, to whoever subscribes next.
   */
  close(lastCommits?: Promise<void>): Promise<void>
}

/** The one door to messages. One contract suite runs against every adapter. */
export interface Bus {
  /** Resolves when all records are acknowledged; waits while the topic's readers are too far behind. */
  publish(records: readonly OutRecord[]): Promise<void>
  subscribe(options: SubscribeOptions, on: SubscribeHandlers): Promise<Subscription>
  /** Whether anybody may read the topic; where nobody can, making its records is a waste. */
  wanted(topic: TopicName): boolean
  close(): Promise<void>
}
