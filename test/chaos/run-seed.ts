import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, configSchema } from '../../src/config/config.ts'
import { surroundingEnvironment } from '../../src/config/places.ts'
import { KafkaBus } from '../../src/consumers/kafka/kafka-bus.ts'
import { kafkaClient } from '../../src/consumers/kafka/kafka-client.ts'
import { TopicAdmin } from '../../src/consumers/kafka/topic-admin.ts'
import { kafkaTopic, workTopics } from '../../src/consumers/kafka/topic-names.ts'
import type { Broker } from '../../src/demo/kafka/cluster.ts'
import { type Submitted, Submitter } from '../../src/inputs/submitter.ts'
import { type StageName, stageNames } from '../../src/schema/stage.ts'
import { openStore } from '../../src/store/open-store.ts'
import { differences, doubleMeanings, runAheadCommits } from './check-history.ts'
import { ClusterView } from './cluster-view.ts'
import type { Fault, FaultPlan } from './fault-plan.ts'
import { Fleet } from './fleet.ts'
import { History } from './history.ts'
import { type Outcome, outcomes } from './outcome.ts'

/** Silent for longer, a member loses its partitions. */
export const sessionMs = 3000
/** From the last fault on, all must have come to its end within this time; losing the coordinator alone costs half a minute. */
const settleMs = 150_000
const mostEndings = 15
/** More tell nothing more. */
const mostViolations = 40

export interface SeedResult {
  readonly seed: number
  readonly seconds: number
  readonly endedAlone: number
  /** Events that came again with the id that they had: how much work the faults met. */
  readonly repeated: number
  readonly violations: readonly string[]
  /** What workers said, to look at after a violation. */
  readonly said: readonly string[]
  readonly outcomes: ReadonlyMap<string, Outcome>
}

export interface SeedInput {
  readonly plan: FaultPlan
  readonly broker: Broker
  readonly storeUrl: string
  /** Paths of the documents, by number. */
  readonly paths: readonly { readonly path: string; readonly name: string }[]
  /** What a run without faults gave; absent for that run itself. */
  readonly expected?: ReadonlyMap<string, Outcome>
}

const constantKeys = { partitions: 4, sessionTimeoutMs: sessionMs, heartbeatIntervalMs: 500, maxWaitMs: 200 }

function configOf(plan: FaultPlan, broker: Broker, storeUrl: string): { config: Config; env: NodeJS.ProcessEnv } {
  const prefix = `chaos-${plan.seed}-${Date.now().toString(36)}`
  const kafka = { ...constantKeys, brokers: [broker.address], topicPrefix: prefix, groupPrefix: prefix }
  const keys = Object.entries(kafka).map(([key, value]) => [`PAGESTREAM_KAFKA__${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`, JSON.stringify(value)])
  const env = { ...surroundingEnvironment(), ...Object.fromEntries(keys), PAGESTREAM_STORE__URL: storeUrl, PAGESTREAM_OCR: 'never', PAGESTREAM_WORKERS: '1' }
  return { config: configSchema.parse({ kafka, store: { url: storeUrl }, ocr: 'never', workers: 1 }), env }
}

/** Runs a plan to its end on real processes and looks at what is left. */
export async function runSeed(input: SeedInput): Promise<SeedResult> {
  const started = performance.now()
  const { plan, broker, storeUrl, expected } = input
  const { config, env } = configOf(plan, broker, storeUrl)
  {
    await using admin = await TopicAdmin.connect(config.kafka)
    await admin.apply()
  }
  const history = new History(config.kafka)
  const view = new ClusterView(config.kafka)
  const fleet = new Fleet(env, plan.store)
  const bus = await KafkaBus.connect(config.kafka, 'live')
  const store = await openStore(config.store)
  try {
    await Promise.all([history.start(), view.connect()])
    for (const stages of plan.workers) fleet.start(stages)
    const submitter = new Submitter(config, store, bus)
    const known = await Promise.all(input.paths.map(({ path, name }) => submitter.identify(path, name)))
    const watching = new AbortController()
    const watch = watchCommits(view, watching.signal)
    await Promise.all([submitAll(plan, submitter, known), injectAll(plan, { fleet, broker, history, config })])
    const violations = await settled(view, history, fleet)
    watching.abort()
    await watch
    await fleet.close()
    const found = await outcomes(history.records, store)
    violations.push(...doubleMeanings(history.records), ...runAheadCommits(history.records, view.samples))
    if (expected) violations.push(...differences(expected, found))
    return {
      ...{ seed: plan.seed, endedAlone: fleet.endedAlone, said: fleet.said, outcomes: found },
      repeated: history.records.length - new Set(history.records.map(({ id }) => id)).size,
      seconds: (performance.now() - started) / 1000,
      violations: [...new Set(violations)].slice(0, mostViolations),
    }
  } finally {
    await fleet.close()
    await Promise.allSettled([history.close(), view.close(), bus.close()])
  }
}

async function submitAll({ submissions }: FaultPlan, submitter: Submitter, known: readonly Submitted[]): Promise<void> {
  const begun = Date.now()
  for (const { atMs, document } of submissions) {
    await sleep(Math.max(0, begun + atMs - Date.now()))
    const submitted = known[document]
    if (submitted) await submitter.send(submitted)
  }
}

interface Target {
  readonly fleet: Fleet
  readonly broker: Broker
  readonly history: History
  readonly config: Config
}

async function injectAll({ faults }: FaultPlan, target: Target): Promise<void> {
  const begun = Date.now()
  const ends: Promise<void>[] = []
  for (const fault of faults) {
    await sleep(Math.max(0, begun + fault.atMs - Date.now()))
    ends.push(inject(fault, target))
  }
  await Promise.all(ends)
}

const joiners: readonly (readonly StageName[])[] = [stageNames, ['region-recognition', 'assemble'], ['page-render'], ['text-finder', 'layout']]

async function inject({ kind, pick, forMs }: Fault, target: Target): Promise<void> {
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
async function sendAgain(pick: number, { history, config }: Target): Promise<void> {
  const work = history.records.filter(({ topic }) => (workTopics as readonly string[]).includes(topic))
  const record = work[Math.floor(pick * work.length)]
  if (!record) return
  const { key, value, headers } = record.message
  const messages = [{ key, value, ...(headers && { headers }) }]
  for (const until = Date.now() + settleMs; ; await sleep(1000)) {
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

async function watchCommits(view: ClusterView, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await view.sample().catch(() => {}) // the broker may be away
    await sleep(300)
  }
}

/** Waits until every record is committed and read; what is not by then is stuck. */
async function settled(view: ClusterView, history: History, fleet: Fleet): Promise<string[]> {
  const end = Date.now() + settleMs
  let open = new Map<string, bigint>()
  for (let quiet = 0; Date.now() < end; ) {
    try {
      open = await view.sample()
      quiet = open.size === 0 && (await view.isRead(history)) ? quiet + 1 : 0
      if (quiet === 2) return []
    } catch {
      quiet = 0
    }
    if (fleet.endedAlone > mostEndings) return [`workers ended by themselves more than ${mostEndings} times`]
    await sleep(300)
  }
  return [`not at rest after ${settleMs / 1000} s: ${[...open].map(([topic, records]) => `${records} records of ${topic}`).join(', ') || 'history not read'}`]
}
