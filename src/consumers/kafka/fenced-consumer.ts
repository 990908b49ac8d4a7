import { setTimeout as sleep } from 'node:timers/promises'
import { type Broker, type Cluster, type Consumer, type ConsumerConfig, type PartitionAssigner, PartitionAssigners } from 'kafkajs'
import type { Epoch } from '../bus.ts'
import { isCoordinatorMissing, isPassing, protocolType } from './client-failure.ts'
import { removeMembers } from './group-members.ts'
import type { KafkaClient } from './kafka-client.ts'
import { leaveGroup, leaveMs, within } from './leave-group.ts'

/** Who we were to the group when work came in. */
interface Member {
  readonly memberId: string
  readonly generation: number
}

export interface TopicOffsets {
  readonly topic: string
  readonly partitions: readonly { readonly partition: number; readonly offset: string }[]
}

interface AssignedPartitions {
  readonly topic: string
  readonly partitions: readonly number[]
}

interface AskedOffsets {
  readonly topic: string
  readonly partitions: { readonly partition: number; readonly offset: string }[]
}

/** Answers of the coordinator to a commit of somebody who no longer is who he says. */
const fencedTypes = new Set(['REBALANCE_IN_PROGRESS', 'FENCED_INSTANCE_ID'])
const staleTypes = new Set(['ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID'])
const retryMs = 200
/** Of one request, before the client crashes and begins anew. */
const retries = 5
/** Commits of one consumer follow each other no faster: marks that move meanwhile go together. */
const commitEveryMs = 100

/**
 * A consumer whose commits carry the generation in which the work was received. kafkajs itself commits under whatever
 * generation is current, also for partitions that went to somebody else, and retries so; brokers check member and generation
 * only. So the request is made here: an assigner is handed the cluster, the first heartbeat after a join tells the generation.
 */
export class FencedConsumer {
  readonly consumer: Consumer
  readonly #kafka: KafkaClient
  readonly #groupId: string
  readonly #leaveMs: number
  readonly #sessionMs: number
  #cluster: Cluster | undefined
  #epoch: Epoch = 0
  #member: Member | undefined
  /** What the group has committed, as far as this epoch knows; nobody else moves it meanwhile. */
  #committed = new Map<string, bigint>()
  #assigned: readonly AssignedPartitions[] = []
  /** Resolves when partitions that nobody has read before have a place; no commit overtakes that. */
  #begun: Promise<void> = Promise.resolve()
  /** As long as it answers; asking for it costs as much as a commit. */
  #coordinator: Broker | undefined
  #committedAt = Number.NEGATIVE_INFINITY
  #waiting: (() => void)[] = []
  #closed = false

  constructor(kafka: KafkaClient, config: ConsumerConfig) {
    this.#kafka = kafka
    this.#groupId = config.groupId
    this.#leaveMs = leaveMs + (config.maxWaitTimeInMs ?? 0)
    this.#sessionMs = config.sessionTimeout ?? 30_000
    const assigner: PartitionAssigner = (given) => {
      this.#cluster = given.cluster
      return PartitionAssigners.roundRobin(given)
    }
    const restartOnFailure = async () => {
      await this.removeLeftOvers()
      return !this.#closed
    }
    this.consumer = kafka.consumer({ ...config, partitionAssigners: [assigner], retry: { retries, restartOnFailure } })
    this.consumer.on(this.consumer.events.HEARTBEAT, ({ payload }) => {
      if (!this.#member) {
        this.#member = { memberId: payload.memberId, generation: payload.groupGenerationId }
        this.#begun = this.#begin(this.#member, this.#epoch)
      }
      this.#notify()
    })
  }

  get epoch(): Epoch {
    return this.#epoch
  }

  /** A new assignment: work of the one before is not committed any more. To be called for each GROUP_JOIN. */
  joined(assigned: readonly AssignedPartitions[]): Epoch {
    this.#assigned = assigned
    this.#member = undefined
    this.#committed = new Map()
    this.#coordinator = undefined
    this.#epoch++
    this.#notify()
    return this.#epoch
  }

  /**
   * Answers 'committed' only for what the coordinator has acknowledged under the generation of that epoch. Offsets never go back:
   * what others have finished and committed while we were away stays committed.
   */
  async commit(epoch: Epoch, topics: readonly TopicOffsets[]): Promise<'committed' | 'fenced'> {
    await pause(this.#committedAt + commitEveryMs - performance.now())
    for (;;) {
      while (!this.#member && epoch === this.#epoch && !this.#closed) await new Promise<void>((resolve) => this.#waiting.push(resolve))
      const member = this.#member
      await this.#begun
      if (epoch !== this.#epoch || this.#closed || !member || !this.#cluster) return 'fenced'
      try {
        return await this.#commitAs(member, epoch, topics, this.#cluster)
      } catch (error) {
        this.#coordinator = undefined
        const type = protocolType(error)
        if (staleTypes.has(type) && epoch === this.#epoch) {
          // A heartbeat of the generation before may have come in just after the join: the next one tells, or the next join.
          if (this.#member === member) this.#member = undefined
          continue
        }
        if (staleTypes.has(type) || fencedTypes.has(type)) return 'fenced'
        if (!isPassing(error)) throw error
        await pause(retryMs)
      }
    }
  }

  /**
   * Commits where partitions begin that nobody has committed before: who compares their ends with what the group has committed, as scalers do, would
   * else take all for unread that they ever held. What fails here is made good by the first commit, or by the next assignment.
   */
  async #begin(member: Member, epoch: Epoch): Promise<void> {
    const [cluster, committed, assigned] = [this.#cluster, this.#committed, this.#assigned]
    if (!cluster || assigned.length === 0) return
    try {
      const coordinator = await cluster.findGroupCoordinator({ groupId: this.#groupId })
      await this.#learn(coordinator, assigned, committed)
      const unread = assigned.flatMap(({ topic, partitions }) => {
        const never = partitions.filter((partition) => committed.get(`${topic}/${partition}`) === -1n)
        return never.length > 0 ? [{ topic, partitions: never.map((partition) => ({ partition })), fromBeginning: true }] : []
      })
      if (unread.length === 0) return
      const topics = await cluster.fetchTopicsOffset(unread)
      if (epoch !== this.#epoch) return
      await coordinator.offsetCommit({ groupId: this.#groupId, memberId: member.memberId, groupGenerationId: member.generation, topics })
      for (const { topic, partitions } of topics) for (const { partition, offset } of partitions) committed.set(`${topic}/${partition}`, BigInt(offset))
    } catch (error) {
      if (staleTypes.has(protocolType(error)) && this.#member === member) this.#member = undefined // a late heartbeat: the next one tells
    }
  }

  async #commitAs(member: Member, epoch: Epoch, topics: readonly TopicOffsets[], cluster: Cluster): Promise<'committed' | 'fenced'> {
    const committed = this.#committed
    this.#coordinator ??= await cluster.findGroupCoordinator({ groupId: this.#groupId })
    const coordinator = this.#coordinator
    const ahead = await this.#ahead(coordinator, topics, committed)
    if (epoch !== this.#epoch) return 'fenced'
    if (ahead.length === 0) return 'committed'
    this.#committedAt = performance.now()
    await coordinator.offsetCommit({ groupId: this.#groupId, memberId: member.memberId, groupGenerationId: member.generation, topics: ahead })
    for (const { topic, partitions } of ahead) for (const { partition, offset } of partitions) committed.set(`${topic}/${partition}`, BigInt(offset))
    return 'committed'
  }

  /** Asks for what the group has committed, once an epoch and partition; -1 where that is nothing. */
  async #learn(coordinator: Broker, asked: readonly AssignedPartitions[], committed: Map<string, bigint>): Promise<void> {
    const offset = '' // which only the client's type asks for
    const unknown = asked.map(({ topic, partitions }) => ({
      topic,
      partitions: partitions.flatMap((partition) => (committed.has(`${topic}/${partition}`) ? [] : [{ partition, offset }])),
    }))
    if (unknown.every(({ partitions }) => partitions.length === 0)) return
    const { responses } = await coordinator.offsetFetch({ groupId: this.#groupId, topics: unknown })
    for (const { topic, partitions } of responses) for (const { partition, offset: at } of partitions) committed.set(`${topic}/${partition}`, BigInt(at))
  }

  /** Those that are in front of what is committed. */
  async #ahead(coordinator: Broker, topics: readonly TopicOffsets[], committed: Map<string, bigint>): Promise<AskedOffsets[]> {
    await this.#learn(
      coordinator,
      topics.map(({ topic, partitions }) => ({ topic, partitions: partitions.map(({ partition }) => partition) })),
      committed,
    )
    return topics.flatMap(({ topic, partitions }) => {
      const ahead = partitions.filter(({ partition, offset }) => BigInt(offset) > (committed.get(`${topic}/${partition}`) ?? -1n))
      return ahead.length > 0 ? [{ topic, partitions: ahead }] : []
    })
  }

  /**
   * What a crash has left of us in the group would hold it for a session: it is taken out as soon as the coordinator answers. To be called
   * before the consumer joins again.
   */
  async removeLeftOvers(): Promise<void> {
    const endAt = performance.now() + this.#sessionMs // the coordinator gives them up by itself
    while (!this.#closed && performance.now() < endAt) {
      try {
        return await removeMembers(this.#kafka, this.#groupId)
      } catch (error) {
        if (!(isCoordinatorMissing(error) || isPassing(error))) return
        await pause(retryMs)
      }
    }
  }

  /**
   * Leaves the group once `lastCommits` has settled. One that waits to be let in can commit nothing, and learns nothing before the
   * coordinator has given up those that went silent: it is cut off and taken out.
   */
  async close(lastCommits?: Promise<void>): Promise<void> {
    const endAt = performance.now() + this.#leaveMs
    await within(this.#leaveMs, lastCommits)
    this.#closed = true
    this.#notify()
    const leftMs = () => Math.max(0, endAt - performance.now())
    if (await leaveGroup(this.consumer, leftMs() / 2)) return
    this.#kafka.cutOffConsumers()
    await within(leftMs(), removeMembers(this.#kafka, this.#groupId)).catch(() => {}) // no coordinator: it gives us up
  }

  #notify(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await sleep(ms)
}
