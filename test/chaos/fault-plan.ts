import type { StageName } from '../../src/schema/stage.ts'
import { stageNames } from '../../src/schema/stage.ts'
import { SeededRandom } from './seeded-random.ts'

export const engineFaultKinds = ['engine hang', 'engine cut', 'engine busy', 'engine restart', 'engine slow'] as const
export type EngineFaultKind = (typeof engineFaultKinds)[number]

export const faultKinds = [
  'kill',
  'freeze',
  'leave',
  'join',
  'broker stop',
  'broker kill',
  'duplicate',
  'submitted twice',
  'store errors',
  'store latency',
  ...engineFaultKinds,
] as const
export type FaultKind = (typeof faultKinds)[number]

/** Something that happens to the fleet, its brokers or its input. `pick` (0 to 1) chooses the victim among those that are there then. */
export interface Fault {
  readonly atMs: number
  readonly kind: Exclude<FaultKind, 'submitted twice' | 'store errors' | 'store latency' | EngineFaultKind>
  readonly pick: number
  /** How long a victim is away, or stands still. */
  readonly forMs: number
}

/** Something that happens to the engine of a model: of many answers in a while, or, with a restart, of all that it has in hand. */
export interface EngineFault {
  readonly atMs: number
  readonly kind: EngineFaultKind
  readonly forMs: number
}

export interface Submission {
  readonly atMs: number
  readonly document: number
}

export interface StoreFaults {
  /** Share of the calls that fail. */
  readonly errorRate: number
  /** Longest delay of a call. */
  readonly latencyMs: number
}

/** All that a seed decides. */
export interface FaultPlan {
  readonly seed: number
  /** The stages of every worker process at the start. */
  readonly workers: readonly (readonly StageName[])[]
  readonly submissions: readonly Submission[]
  readonly faults: readonly Fault[]
  /** Empty where no model reads. */
  readonly engine: readonly EngineFault[]
  readonly store: StoreFaults
}

const spanMs = 6000
const splits: readonly (readonly (readonly StageName[])[])[] = [
  [stageNames, stageNames],
  [['page-render', 'text-finder', 'layout'], ['region-recognition', 'assemble'], stageNames],
  [['page-render', 'layout'], ['text-finder', 'region-recognition'], ['assemble'], ['assemble', 'page-render']],
]

/** `hasEngine`: a model reads, whose engine has faults of its own. */
export function faultPlan(seed: number, documents: number, sessionMs: number, hasEngine = false): FaultPlan {
  const random = new SeededRandom(seed)
  const order = random.shuffled(Array.from({ length: documents }, (_, document) => document))
  const submissions = order.map((document) => ({ document, atMs: random.between(0, spanMs) }))
  for (const document of order) if (random.chance(0.3)) submissions.push({ document, atMs: random.between(0, spanMs) })
  const kinds: readonly Fault['kind'][] = ['kill', 'kill', 'kill', 'freeze', 'leave', 'join', 'join', 'duplicate', 'duplicate', 'duplicate']
  const faults = Array.from({ length: random.between(3, 8) }, (): Fault => {
    const kind = random.pick(kinds)
    const forMs = kind === 'freeze' ? sessionMs + random.between(500, 3000) : random.between(0, 2500)
    return { kind, atMs: random.between(300, spanMs + 1000), pick: random.next(), forMs }
  })
  // The loss of its coordinator costs a group half a minute: not in every run.
  if (random.chance(0.2)) {
    faults.push({ kind: random.pick(['broker stop', 'broker kill']), atMs: random.between(1000, spanMs), pick: 0, forMs: random.between(0, 3000) })
  }
  return {
    seed,
    workers: random.pick(splits),
    submissions: submissions.sort(byTime),
    faults: faults.sort(byTime),
    store: { errorRate: random.chance(0.4) ? 0.02 + 0.06 * random.next() : 0, latencyMs: random.chance(0.6) ? random.between(5, 60) : 0 },
    engine: hasEngine ? engineFaults(random) : [],
  }
}

const byTime = (a: { readonly atMs: number }, b: { readonly atMs: number }): number => a.atMs - b.atMs

/** Most kinds, one after the other, with time between them in which the engine answers. None so long that a question meets it twice that is asked anew. */
function engineFaults(random: SeededRandom): EngineFault[] {
  let atMs = random.between(1000, 3000)
  return random.shuffled(engineFaultKinds).flatMap((kind): EngineFault[] => {
    if (random.chance(0.2)) return []
    const fault = { atMs, kind, forMs: random.between(500, kind === 'engine hang' ? 1400 : 3000) }
    atMs += fault.forMs + random.between(500, 2500)
    return [fault]
  })
}

/** How often each kind of fault is in a plan. */
export function faultCounts({ faults, engine, submissions, store }: FaultPlan): Record<FaultKind, number> {
  const counts = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<FaultKind, number>
  for (const { kind } of [...faults, ...engine]) counts[kind]++
  counts['submitted twice'] = submissions.length - new Set(submissions.map(({ document }) => document)).size
  counts['store errors'] = store.errorRate > 0 ? 1 : 0
  counts['store latency'] = store.latencyMs > 0 ? 1 : 0
  return counts
}
