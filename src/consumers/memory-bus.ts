import type { PayloadCheck } from '../schema/check-payload.ts'
import { PagestreamError } from '../schema/failure.ts'
import type { TopicName } from '../schema/topics.ts'
import type { Bus, Epoch, OutRecord, PartitionOffset, SubscribeHandlers, SubscribeOptions, Subscription, TopicPartition } from './bus.ts'
import { MemoryPartition, partitionOf } from './memory-topic.ts'

export interface MemoryBusOptions {
  /** Partitions of every topic. */
  readonly partitions?: number
  /** A publisher waits while the slowest group has so many records of the topic before it. */
  readonly bufferedRecords?: number
  /** Records handed over in one call. */
  readonly batchSize?: number
  /** Looks at every payload before it is published and throws for one that breaks its topic's schema. */
  readonly check?: PayloadCheck
}

interface Member {
  readonly on: SubscribeHandlers
  readonly paused: Set<MemoryPartition>
  /** Next record to hand over, for each assigned partition. */
  readonly positions: Map<MemoryPartition, bigint>
  scheduled: boolean
}

interface Group {
  readonly topics: Set<TopicName>
  readonly members: Member[]
  readonly committed: Map<MemoryPartition, bigint>
  epoch: Epoch
}

/**
 * The bus of one process, with the contract of a broker: keys choose partitions, partitions keep
 * order, a group shares its partitions among its members, a rebalance starts every partition again
 * from the committed offset, commits of an earlier assignment are fenced. Records are live objects.
 * A topic without any group keeps nothing.
 */
export class MemoryBus implements Bus {
  readonly #options: Required<Omit<MemoryBusOptions, 'check' | 'bufferedRecords'>>
  readonly #check: PayloadCheck | undefined
  readonly #topics = new Map<TopicName, MemoryPartition[]>()
  readonly #places = new Map<MemoryPartition, TopicPartition>()
  readonly #groups = new Map<string, Group>()
  #waiting: (() => void)[] = []
  #mostBuffered: number
  #closed = false

  constructor({ check, bufferedRecords = 256, ...options }: MemoryBusOptions = {}) {
    this.#options = { partitions: 4, batchSize: 64, ...options }
    this.#mostBuffered = bufferedRecords
    this.#check = check
  }

  /** From now on at least so many records may stand before a publisher waits. */
  bufferAtLeast(records: number): void {
    this.#mostBuffered = Math.max(this.#mostBuffered, records)
  }

  wanted(topic: TopicName): boolean {
    for (const group of this.#groups.values()) if (group.topics.has(topic)) return true
    return false
  }

  async publish(records: readonly OutRecord[]): Promise<void> {
    for (const record of records) {
      const { topic, key } = record
      if (record.payload !== null) this.#check?.(topic, record.payload)
      if (!this.wanted(topic)) continue
      while (!this.#closed && this.backlog(topic) >= this.#mostBuffered) await new Promise<void>((resolve) => this.#waiting.push(resolve))
      if (this.#closed) throw new PagestreamError('cancelled', `publishing to ${topic}: the bus is closed`)
      const partitions = this.#partitionsOf(topic)
      const partition = partitionOf(key, partitions.length)
      partitions[partition]?.append({
        topic,
        partition,
        key,
        payload: record.payload,
        bytes: 0,
        writtenMs: Date.now(),
        ...(record.traceparent !== undefined && { traceparent: record.traceparent }),
        ...(record.run !== undefined && { run: record.run }),
        ...(record.submittedMs !== undefined && { submittedMs: record.submittedMs }),
      })
      this.#wake(topic)
    }
  }

  async subscribe(options: SubscribeOptions, on: SubscribeHandlers): Promise<Subscription> {
    const group: Group = this.#groups.get(options.group) ?? { topics: new Set(options.topics), members: [], committed: new Map(), epoch: 0 }
    this.#groups.set(options.group, group)
    for (const topic of options.topics) group.topics.add(topic)
    const member: Member = { on, paused: new Set(), positions: new Map(), scheduled: false }
    group.members.push(member)
    this.#rebalance(group)
    return {
      pause: (partitions) => {
        for (const place of partitions) member.paused.add(this.#partition(place))
      },
      resume: (partitions) => {
        for (const place of partitions) member.paused.delete(this.#partition(place))
        this.#schedule(group, member)
      },
      commit: async (epoch, offsets) => this.#commit(group, member, epoch, offsets),
      close: async (lastCommits) => {
        await lastCommits
        const at = group.members.indexOf(member)
        if (at < 0) return
        group.members.splice(at, 1)
        this.#rebalance(group)
      },
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const group of this.#groups.values()) group.members.length = 0
    this.#release()
  }

  #commit(group: Group, member: Member, epoch: Epoch, offsets: readonly PartitionOffset[]): 'committed' | 'fenced' {
    if (epoch !== group.epoch || !group.members.includes(member)) return 'fenced'
    for (const place of offsets) {
      const partition = this.#partition(place)
      if (!member.positions.has(partition)) return 'fenced'
      if (place.offset <= (group.committed.get(partition) ?? 0n)) continue // offsets never go back
      group.committed.set(partition, place.offset)
      this.#truncate(place.topic, partition)
    }
    this.#release()
    return 'committed'
  }

  #truncate(topic: TopicName, partition: MemoryPartition): void {
    let lowest = partition.end
    for (const group of this.#groups.values()) {
      if (!group.topics.has(topic)) continue
      const committed = group.committed.get(partition) ?? 0n
      if (committed < lowest) lowest = committed
    }
    partition.truncate(lowest)
  }

  /** Round robin over the members, eager: everything is given up and read again from the committed offsets. */
  #rebalance(group: Group): void {
    const before = group.epoch
    group.epoch++
    const partitions = [...group.topics].flatMap((topic) => this.#partitionsOf(topic))
    for (const member of group.members) {
      const lost = [...member.positions.keys()].map((partition) => this.#place(partition))
      member.positions.clear()
      if (lost.length > 0) member.on.revoked(before, lost, 'lost')
    }
    partitions.forEach((partition, i) => {
      group.members[i % group.members.length]?.positions.set(partition, group.committed.get(partition) ?? 0n)
    })
    for (const member of group.members) {
      for (const partition of member.paused) if (!member.positions.has(partition)) member.paused.delete(partition)
      member.on.assigned(
        group.epoch,
        [...member.positions.keys()].map((partition) => this.#place(partition)),
      )
      this.#schedule(group, member)
    }
  }

  #wake(topic: TopicName): void {
    for (const group of this.#groups.values()) {
      if (group.topics.has(topic)) for (const member of group.members) this.#schedule(group, member)
    }
  }

  #schedule(group: Group, member: Member): void {
    if (member.scheduled) return
    member.scheduled = true
    setImmediate(() => {
      member.scheduled = false
      if (!this.#closed && group.members.includes(member)) this.#deliver(group, member)
    })
  }

  #deliver(group: Group, member: Member): void {
    let more = false
    for (const [partition, position] of member.positions) {
      if (member.paused.has(partition)) continue
      const records = partition.read(position, this.#options.batchSize)
      const last = records.at(-1)
      if (!last) continue
      member.positions.set(partition, last.offset + 1n)
      more ||= last.offset + 1n < partition.end
      member.on.records({ epoch: group.epoch, records })
    }
    if (more) this.#schedule(group, member)
  }

  /** Records of the topic that the slowest group has not committed yet. */
  backlog(topic: TopicName): number {
    let most = 0
    for (const group of this.#groups.values()) {
      if (!group.topics.has(topic)) continue
      let open = 0n
      for (const partition of this.#partitionsOf(topic)) open += partition.end - (group.committed.get(partition) ?? 0n)
      if (open > most) most = Number(open)
    }
    return most
  }

  #release(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }

  #partitionsOf(topic: TopicName): MemoryPartition[] {
    let partitions = this.#topics.get(topic)
    if (!partitions) {
      partitions = Array.from({ length: this.#options.partitions }, () => new MemoryPartition())
      partitions.forEach((partition, index) => {
        this.#places.set(partition, { topic, partition: index })
      })
      this.#topics.set(topic, partitions)
    }
    return partitions
  }

  #partition(place: TopicPartition): MemoryPartition {
    const partition = this.#partitionsOf(place.topic)[place.partition]
    if (!partition) throw new PagestreamError('internal', `topic ${place.topic} has no partition ${place.partition}`)
    return partition
  }

  #place(partition: MemoryPartition): TopicPartition {
    const place = this.#places.get(partition)
    if (!place) throw new PagestreamError('internal', 'a partition without a topic')
    return place
  }
}
