import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../src/config/config.ts'
import { kafkaClient } from '../../src/consumers/kafka/kafka-client.ts'
import { kafkaTopic, workTopics } from '../../src/consumers/kafka/topic-names.ts'
import type { Broker } from '../../src/demo/kafka/cluster.ts'
import { type StageName, stageNames } from '../../src/schema/stage.ts'
import type { Fault, FaultPlan } from './fault-plan.ts'
import type { FaultyEngine } from './faulty-engine.ts'
import type { Fleet } from './fleet.ts'
import type { History } from './history.ts'

/** What faults befall. */
export interface FaultTarget {
  readonly fleet: Fleet
  readonly broker: Broker
  readonly history: History
  readonly config: Config
  readonly engine: FaultyEngine | undefined
}

/** How long the broker may be away before a record that is to come twice is given up. */
const awayMs = 150_000
const joiners: readonly (readonly StageName[])[] = [stageNames, ['region-recognition', 'assemble'], ['page-render'], ['text-finder', 'layout']]

/** Lets all faults of a plan happen when their time has come; resolves when the last is over. */
export async function injectFaults({ faults, engine }: FaultPlan, target: FaultTarget): Promise<void> {
  await Promise.all([inTime(faults, (fault) => inject(fault, target)), inTime(engine, async (fault) => target.engine?.inject(fault))])
}

async function inTime<T extends { readonly atMs: number }>(faults: readonly T[], happen: (fault: T) => Promise<void>): Promise<void> {
  const begun = Date.now()
  const ends: Promise<void>[] = []
  for (const fault of faults) {
    await sleep(Math.max(0, begun + fault.atMs - Date.now()))
    ends.push(happen(fault))
  }
  await Promise.all(ends)
}

async function inject({ kind, pick, forMs }: Fault, target: FaultTarget): Promise<void> {
  const { fleet, broker } = target
  switch (kind) {
    case 'kill':
      return fleet.kill(pick, forMs)
    case 'freeze':
      return fleet.freeze(pick, forMs)
    case 'leave':
      return fleet.leave(pick, forMs)
    case 'join':
      return fleet.start(joiners[Math.floor(pick * joiners.length)] ?? stageNames)
    case 'duplicate':
      return sendAgain(pick, target)
    case 'broker stop':
    case 'broker kill':
      await (kind === 'broker stop' ? broker.stop() : broker.kill())
      await sleep(forMs)
      return broker.start()
  }
}

/** A record of work that was sent before comes again, behind all others. */
async function sendAgain(pick: number, { history, config }: FaultTarget): Promise<void> {
  const work = history.records.filter(({ topic }) => (workTopics as readonly string[]).includes(topic))
  const record = work[Math.floor(pick * work.length)]
  if (!record) return
  const { key, value, headers } = record.message
  const messages = [{ key, value, ...(headers && { headers }) }]
  for (const until = Date.now() + awayMs; ; await sleep(1000)) {
    const producer = kafkaClient(config.kafka).producer()
    try {
      await producer.connect()
      await producer.send({ topic: kafkaTopic(config.kafka.topicPrefix, record.topic, 'live'), messages })
      return
    } catch (error) {
      if (Date.now() > until) throw error // the broker may be away for a while
    } finally {
      await producer.disconnect().catch(() => undefined)
    }
  }
}
