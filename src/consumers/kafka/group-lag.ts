import type { Admin } from 'kafkajs'
import type { KafkaConfig } from '../../config/kafka-config.ts'
import { type Lane, lanes } from '../../schema/lane.ts'
import { type StageName, stageNames } from '../../schema/stage.ts'
import { askCluster } from './ask-cluster.ts'
import { reachCluster } from './reach-cluster.ts'
import { kafkaTopic, workTopics } from './topic-names.ts'

/** How far the workers of a stage are behind on a lane. */
export interface StageLag {
  readonly stage: StageName
  readonly lane: Lane
  /** Records that are finished and may be forgotten, since the topic began. */
  readonly committed: bigint
  /** Records that are not finished. */
  readonly lag: bigint
}

/** Compares where every work topic ends with what its workers have committed. Rejects with `kafka-*`. */
export async function stageLags(config: KafkaConfig): Promise<StageLag[]> {
  await reachCluster(config, { topics: lanes.flatMap((lane) => workTopics.map((topic) => kafkaTopic(config.topicPrefix, topic, lane))) })
  return askCluster(config, 'looking at the lag of the workers', async (admin) => {
    const lags: StageLag[] = []
    for (const lane of lanes) {
      for (const [index, stage] of stageNames.entries()) lags.push(await lagOf(admin, config, stage, workTopics[index] ?? 'documents', lane))
    }
    return lags
  })
}

/** The same for one stage and lane: how many of its records are not finished. */
export async function stageLag(config: KafkaConfig, stage: StageName, lane: Lane): Promise<number> {
  const work = workTopics[stageNames.indexOf(stage)] ?? 'documents'
  return askCluster(config, 'looking at the lag of the workers', async (admin) => Number((await lagOf(admin, config, stage, work, lane)).lag))
}

/** How many records of each partition of a stage are not finished. */
export async function unfinishedOf(admin: Admin, config: KafkaConfig, stage: StageName, lane: Lane): Promise<Map<number, number>> {
  const places = await placesOf(admin, config, stage, workTopics[stageNames.indexOf(stage)] ?? 'documents', lane)
  return new Map(places.map(({ partition, from, end }) => [partition, Number(end - from)]))
}

/** Where the records of a stage and lane begin that are not finished, by partition. */
export async function unfinishedFrom(config: KafkaConfig, stage: StageName, lane: Lane): Promise<Map<number, bigint>> {
  const work = workTopics[stageNames.indexOf(stage)] ?? 'documents'
  const places = await askCluster(config, 'looking at the lag of the workers', (admin) => placesOf(admin, config, stage, work, lane))
  return new Map(places.map(({ partition, from }) => [partition, from]))
}

async function lagOf(admin: Admin, config: KafkaConfig, stage: StageName, work: (typeof workTopics)[number], lane: Lane): Promise<StageLag> {
  let committed = 0n
  let lag = 0n
  for (const { from, end } of await placesOf(admin, config, stage, work, lane)) {
    committed += from
    lag += end - from
  }
  return { stage, lane, committed, lag }
}

async function placesOf(admin: Admin, config: KafkaConfig, stage: StageName, work: (typeof workTopics)[number], lane: Lane) {
  const topic = kafkaTopic(config.topicPrefix, work, lane)
  const [ends, groups] = await Promise.all([
    admin.fetchTopicOffsets(topic),
    admin.fetchOffsets({ groupId: `${config.groupPrefix}.${stage}.${lane}`, topics: [topic] }),
  ])
  const offsets = new Map((groups[0]?.partitions ?? []).map(({ partition, offset }) => [partition, BigInt(offset)]))
  return ends.map(({ partition, low, high }) => {
    // No commit yet, or one below what is kept: the next worker begins with the oldest record.
    const at = offsets.get(partition) ?? -1n
    return { partition, from: at < BigInt(low) ? BigInt(low) : at, end: BigInt(high) }
  })
}
