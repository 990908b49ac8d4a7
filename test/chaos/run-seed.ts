import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, configSchema } from '../../src/config/config.ts'
import { surroundingEnvironment } from '../../src/config/places.ts'
import { KafkaBus } from '../../src/consumers/kafka/kafka-bus.ts'
import { TopicAdmin } from '../../src/consumers/kafka/topic-admin.ts'
import type { Broker } from '../../src/demo/kafka/cluster.ts'
import { type Submitted, Submitter } from '../../src/inputs/submitter.ts'
import { openStore } from '../../src/store/open-store.ts'
import { differences, doubleMeanings, runAheadCommits } from './check-history.ts'
import { ClusterView } from './cluster-view.ts'
import type { FaultPlan } from './fault-plan.ts'
import { engineTimes, FaultyEngine } from './faulty-engine.ts'
import { Fleet } from './fleet.ts'
import { History } from './history.ts'
import { injectFaults } from './inject-faults.ts'
import { type Outcome, outcomes } from './outcome.ts'

/** Silent for longer, a member loses its partitions. */
export const sessionMs = 3000
/** From the last fault on, all must have come to its end within this time; losing the coordinator alone costs half a minute. */
const settleMs = 150_000
/** … and questions that hang are given up. */
const freeMs = engineTimes.timeoutMs + 2000
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
  /** A model reads, on an engine of the seed's own. */
  readonly hasEngine: boolean
  /** What a run without faults gave; absent for that run itself. */
  readonly expected?: ReadonlyMap<string, Outcome>
}

const constantKeys = { partitions: 4, sessionTimeoutMs: sessionMs, heartbeatIntervalMs: 500, maxWaitMs: 200 }

function configOf(plan: FaultPlan, broker: Broker, storeUrl: string, engineUrl: string | undefined): { config: Config; env: NodeJS.ProcessEnv } {
  const prefix = `chaos-${plan.seed}-${Date.now().toString(36)}`
  const vlm = { family: 'mineru2.5', engine: { kind: 'vllm', urls: [engineUrl], ...engineTimes } }
  const keys = {
    kafka: { ...constantKeys, brokers: [broker.address], topicPrefix: prefix, groupPrefix: prefix },
    store: { url: storeUrl },
    workers: 1,
    ...(engineUrl === undefined ? { ocr: 'never' } : { ocr: 'auto', images: false, vlm }),
  }
  const set = Object.entries(keys).map(([key, value]) => [`PAGESTREAM_${key.toUpperCase()}`, typeof value === 'string' ? value : JSON.stringify(value)])
  return { config: configSchema.parse(keys), env: { ...surroundingEnvironment(), ...Object.fromEntries(set) } }
}

/** Runs a plan to its end on real processes and looks at what is left. */
export async function runSeed(input: SeedInput): Promise<SeedResult> {
  const started = performance.now()
  const { plan, broker, storeUrl, expected } = input
  await using engine = input.hasEngine ? await FaultyEngine.start(plan.seed) : undefined
  const { config, env } = configOf(plan, broker, storeUrl, engine?.url)
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
    await Promise.all([submitAll(plan, submitter, known), injectFaults(plan, { fleet, broker, history, config, engine })])
    const violations = await settled(view, history, fleet)
    watching.abort()
    await watch
    if (engine) violations.push(...(await slotsLeft(engine)))
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

/** All is read: whatever the engine still works on was asked by somebody who has given it up, or is gone. */
async function slotsLeft(engine: FaultyEngine): Promise<string[]> {
  for (const until = Date.now() + freeMs; engine.inHand > 0 && Date.now() < until; ) await sleep(100)
  return engine.inHand > 0 ? [`the engine has ${engine.inHand} questions in hand and nobody waits for them`] : []
}
