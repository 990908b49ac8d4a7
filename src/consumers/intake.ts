import type { TopicName } from '../schema/topics.ts'
import type { Bus, Epoch, InRecord, PartitionOffset, Subscription, TopicPartition } from './bus.ts'
import { LowWater } from './low-water.ts'

/** A record in the hands of a worker. */
export interface TakenRecord extends InRecord {
  readonly epoch: Epoch
  /** Pages of it that are not finished. */
  open: number
  /** Whether all its pages are known. */
  expanded: boolean
}

export interface IntakeOptions {
  readonly topic: TopicName
  readonly group: string
  /** Records in the buffer above which partitions are paused; they are resumed below half of it. */
  readonly highMark: number
  /** … and bytes of them and of those in hand. */
  readonly highMarkBytes: number
}

export interface IntakeHandlers {
  /** There may be a record to take with `next`. */
  ready(): void
  fatal(error: Error): void
  /** Partitions may have come from others or gone to them. */
  reassigned?(): void
  /** A commit came too late: the partition has another owner, who reads the record again. */
  staleCommit(): void
  /** An offset was committed; for counting. */
  committed(): void
}

interface PartitionState {
  readonly place: TopicPartition
  readonly lowWater: LowWater
}

/**
 * The consuming half of a worker: a bounded buffer in front, low-water commits behind.
 * Re-deliveries of records that are in hand or done are dropped by offset; one below the mark tells that the commit of the mark
 * was lost with an epoch, and it is made again. A commit is made only while the partition is ours.
 */
export class Intake {
  readonly #bus: Bus
  readonly #options: IntakeOptions
  readonly #on: IntakeHandlers
  readonly #partitions = new Map<number, PartitionState>()
  #subscription: Subscription | undefined
  #buffer: TakenRecord[] = []
  #bufferedBytes = 0
  /** Of records that were handed out and are not finished. */
  #bytesInHand = 0
  /** Marks that have moved and are not committed yet, by partition. */
  #toCommit = new Map<number, PartitionOffset>()
  #committing: Promise<void> | undefined
  #epoch: Epoch = 0
  #paused = false
  #held = false
  #stopped = false

  constructor(bus: Bus, options: IntakeOptions, on: IntakeHandlers) {
    this.#bus = bus
    this.#options = options
    this.#on = on
  }

  async start(): Promise<void> {
    this.#subscription = await this.#bus.subscribe(
      { group: this.#options.group, topics: [this.#options.topic] },
      {
        records: (batch) => this.#take(batch.epoch, batch.records),
        assigned: (epoch, partitions) => this.#assigned(epoch, partitions),
        revoked: () => {}, // late by contract; `assigned` says what is left, the fence does the rest
        fatal: this.#on.fatal,
      },
    )
    this.#applyPause()
  }

  /** Partitions that are ours, ascending. */
  get partitions(): readonly number[] {
    return [...this.#partitions.keys()].sort((a, b) => a - b)
  }

  /** Whether they are not read on at the moment. */
  get isPaused(): boolean {
    return this.#paused || this.#held
  }

  /** When the oldest record was written that has come and is not finished, in milliseconds since 1970. */
  get oldestWrittenMs(): number | undefined {
    let oldest: number | undefined
    for (const { lowWater } of this.#partitions.values()) {
      const written = lowWater.oldestWrittenMs
      if (written !== undefined && (oldest === undefined || written < oldest)) oldest = written
    }
    return oldest
  }

  /** Of records that wait and of those in hand. */
  get bytesHeld(): number {
    return this.#bufferedBytes + this.#bytesInHand
  }

  /** The next record, undefined when there is none or the intake was stopped. */
  next(): TakenRecord | undefined {
    if (this.#stopped) return undefined
    const record = this.#buffer.shift()
    if (!record) return undefined
    this.#bufferedBytes -= record.bytes
    this.#bytesInHand += record.bytes
    this.#resumeIfLow()
    return record
  }

  /**
   * Marks a record finished; the contiguous finished prefix of its partition is committed soon. Marks that move while a commit
   * is under way go together in the next one.
   */
  finish(record: TakenRecord): void {
    this.#bytesInHand -= record.bytes
    this.#resumeIfLow()
    const state = this.#partitions.get(record.partition)
    const next = state?.lowWater.finish(record.offset)
    if (next !== undefined && state) this.#commitSoon(state, next)
  }

  #commitSoon({ place }: PartitionState, next: bigint): void {
    this.#toCommit.set(place.partition, { ...place, offset: next })
    this.#committing ??= this.#commitAll().finally(() => {
      this.#committing = undefined
    })
  }

  async #commitAll(): Promise<void> {
    while (this.#toCommit.size > 0 && this.#subscription) {
      const offsets = [...this.#toCommit.values()]
      this.#toCommit.clear()
      try {
        const answer = await this.#subscription.commit(this.#epoch, offsets)
        if (answer === 'fenced') this.#on.staleCommit()
        else this.#on.committed()
      } catch (error) {
        this.#on.fatal(error instanceof Error ? error : new Error(String(error)))
        return
      }
    }
  }

  stop(): void {
    this.#stopped = true
    this.#setPaused(true)
  }

  /** Nothing is read while it is held; what has come may be taken. */
  hold(held: boolean): void {
    this.#held = held
    this.#applyPause()
  }

  async close(): Promise<void> {
    this.#stopped = true
    this.#buffer = []
    await this.#subscription?.close(this.#committing)
    this.#subscription = undefined
  }

  /** Partitions that stayed keep their marks and records; those that left are forgotten with everything buffered. */
  #assigned(epoch: Epoch, partitions: readonly TopicPartition[]): void {
    this.#epoch = epoch
    const ours = new Set(partitions.map((place) => place.partition))
    for (const partition of this.#partitions.keys()) if (!ours.has(partition)) this.#partitions.delete(partition)
    for (const place of partitions) {
      if (!this.#partitions.has(place.partition)) this.#partitions.set(place.partition, { place, lowWater: new LowWater() })
    }
    for (const partition of this.#toCommit.keys()) if (!ours.has(partition)) this.#toCommit.delete(partition)
    this.#buffer = this.#buffer.filter((record) => ours.has(record.partition))
    this.#bufferedBytes = this.#buffer.reduce((sum, { bytes }) => sum + bytes, 0)
    this.#on.reassigned?.()
    if (!this.#resumeIfLow()) this.#applyPause()
  }

  #take(epoch: Epoch, records: readonly InRecord[]): void {
    if (epoch !== this.#epoch) return
    for (const record of records) {
      const state = this.#partitions.get(record.partition)
      if (!state) continue
      if (!state.lowWater.take(record.offset, record.writtenMs)) {
        const mark = state.lowWater.uncommitted(record.offset)
        if (mark !== undefined) this.#commitSoon(state, mark)
        continue
      }
      this.#buffer.push(taken(record, epoch))
      this.#bufferedBytes += record.bytes
    }
    const { highMark, highMarkBytes } = this.#options
    if (!this.#paused && (this.#buffer.length >= highMark || this.bytesHeld >= highMarkBytes)) this.#setPaused(true)
    this.#on.ready()
  }

  /** Also after a rebalance: the partitions that filled the buffer may be gone, and nobody takes from an empty one. */
  #resumeIfLow(): boolean {
    const { highMark, highMarkBytes } = this.#options
    const low = this.#paused && this.#buffer.length <= highMark / 2 && this.bytesHeld <= highMarkBytes / 2
    if (low) this.#setPaused(false)
    return low
  }

  #setPaused(paused: boolean): void {
    this.#paused = paused || this.#stopped
    this.#applyPause()
  }

  #applyPause(): void {
    const places = [...this.#partitions.values()].map((state) => state.place)
    if (this.#paused || this.#held) this.#subscription?.pause(places)
    else this.#subscription?.resume(places)
  }
}

/** Spelled out: copying the whole by spreading it costs as much as decoding the record. */
function taken(
  { topic, partition, offset, key, payload, bytes, writtenMs, broken, origin, traceparent, run, submittedMs }: InRecord,
  epoch: Epoch,
): TakenRecord {
  return {
    topic,
    partition,
    offset,
    key,
    payload,
    bytes,
    writtenMs,
    epoch,
    open: 0,
    expanded: false,
    ...(broken && { broken }),
    ...(origin && { origin }),
    ...(traceparent !== undefined && { traceparent }),
    ...(run !== undefined && { run }),
    ...(submittedMs !== undefined && { submittedMs }),
  }
}
