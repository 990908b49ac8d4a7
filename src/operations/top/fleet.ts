import { type Lane, lanes } from '../../schema/lane.ts'
import { type StageName, stageNames } from '../../schema/stage.ts'
import type { ToldSample } from '../../telemetry/metrics-text.ts'
import { takingIn } from '../../telemetry/worker-view.ts'
import type { Scrape } from './scrape.ts'

type State = (typeof takingIn)[number]

/** A stage and lane over all workers that told. */
export interface FleetStage {
  readonly stage: StageName
  readonly lane: Lane
  readonly workers: number
  /** Workers by whether they take in. */
  readonly states: Readonly<Record<State, number>>
  /** Of the last minute. */
  readonly pagesPerSecond: number
  readonly pages: { readonly ok: number; readonly failed: number }
  readonly pagesInFlight: number
  /** Mean fill of its windows, 0 to 1: since the last look where there were any, else since the workers began; null where there were none. */
  readonly windowFill: number | null
  readonly lagRecords: number
  /** The oldest record that any worker holds. */
  readonly lagSeconds: number
}

export interface FleetLane {
  readonly lane: Lane
  readonly tokensPerSecond: { readonly prompt: number; readonly output: number }
  readonly slots: { readonly used: number; readonly free: number; readonly all: number }
  readonly waiting: number
}

export interface FleetWorker {
  readonly address: string
  /** `up` while it has joined its groups; `away` where it does not answer. */
  readonly state: 'up' | 'not ready' | 'away'
  readonly reason?: string
  readonly pagesPerSecond: number
  readonly pagesInFlight: number
  readonly memoryBytes: number
}

/** A set of workers as they stand. */
export interface Fleet {
  readonly at: string
  readonly workers: readonly FleetWorker[]
  readonly stages: readonly FleetStage[]
  readonly lanes: readonly FleetLane[]
  readonly total: {
    /** Of region-recognition: there a page is read. */
    readonly pagesPerSecond: number
    readonly tokensPerSecond: number
    readonly documents: number
    readonly deadLetters: number
  }
}

type Fills = ReadonlyMap<string, { readonly sum: number; readonly count: number }>

/** What is remembered from one look to the next. */
export interface LookedAt {
  readonly fleet: Fleet
  readonly fills: Fills
}

/** Adds up what workers told; `before`: the look before this one. */
export function fleetOf(scrapes: readonly Scrape[], at: Date, before?: LookedAt): LookedAt {
  const told = scrapes.flatMap((scrape) => ('samples' in scrape ? [new Told(scrape.samples)] : []))
  const all = new Told(told.flatMap(({ samples }) => samples))
  const fills = new Map<string, { sum: number; count: number }>()
  const stages: FleetStage[] = []
  for (const stage of stageNames) {
    for (const lane of lanes) {
      const workers = told.filter((one) => one.has('pagestream_intake', { stage, lane }))
      if (workers.length === 0) continue
      const fill = { sum: all.sum('pagestream_window_fill_ratio_sum', { stage, lane }), count: all.sum('pagestream_window_fill_ratio_count', { stage, lane }) }
      fills.set(`${stage} ${lane}`, fill)
      stages.push(stageOf(all, workers, { stage, lane, windowFill: meanFill(fill, before?.fills.get(`${stage} ${lane}`)) }))
    }
  }
  const total = {
    pagesPerSecond: all.sum('pagestream_pages_per_second', { stage: 'region-recognition' }),
    tokensPerSecond: all.sum('pagestream_tokens_per_second', { kind: 'prompt' }) + all.sum('pagestream_tokens_per_second', { kind: 'output' }),
    documents: all.sum('pagestream_documents_total'),
    deadLetters: all.sum('pagestream_dead_letters_total'),
  }
  const laneFigures = lanes.filter((lane) => all.has('pagestream_vlm_slots', { lane })).map((lane) => laneOf(all, lane))
  return { fleet: { at: at.toISOString(), workers: scrapes.map(workerOf), stages, lanes: laneFigures, total }, fills }
}

/** Workers that went away take what they told with them: then the whole is all that is known. */
function meanFill(now: { sum: number; count: number }, before: { sum: number; count: number } | undefined): number | null {
  const since = before && now.count > before.count && now.sum >= before.sum ? { sum: now.sum - before.sum, count: now.count - before.count } : now
  return since.count > 0 ? since.sum / since.count : null
}

function stageOf(all: Told, workers: readonly Told[], of: Pick<FleetStage, 'stage' | 'lane' | 'windowFill'>): FleetStage {
  const { stage, lane } = of
  const where = { stage, lane }
  return {
    ...of,
    workers: workers.length,
    states: Object.fromEntries(takingIn.map((state) => [state, all.sum('pagestream_intake', { ...where, state })])) as Record<State, number>,
    pagesPerSecond: all.sum('pagestream_pages_per_second', where),
    pages: { ok: all.sum('pagestream_pages_total', { ...where, outcome: 'ok' }), failed: all.sum('pagestream_pages_total', { ...where, outcome: 'failed' }) },
    pagesInFlight: all.sum('pagestream_pages_in_flight', where),
    lagRecords: all.sum('pagestream_lag_records', where),
    lagSeconds: all.most('pagestream_lag_seconds', where),
  }
}

function laneOf(all: Told, lane: Lane): FleetLane {
  const slots = { all: all.sum('pagestream_vlm_slots', { lane, state: 'all' }), used: all.sum('pagestream_vlm_slots', { lane, state: 'used' }) }
  return {
    lane,
    tokensPerSecond: {
      prompt: all.sum('pagestream_tokens_per_second', { lane, kind: 'prompt' }),
      output: all.sum('pagestream_tokens_per_second', { lane, kind: 'output' }),
    },
    slots: { ...slots, free: Math.max(0, slots.all - slots.used) },
    waiting: all.sum('pagestream_vlm_waiting', { lane }),
  }
}

function workerOf(scrape: Scrape): FleetWorker {
  const { address } = scrape
  if ('away' in scrape) return { address, state: 'away', reason: scrape.away, pagesPerSecond: 0, pagesInFlight: 0, memoryBytes: 0 }
  const told = new Told(scrape.samples)
  return {
    address,
    state: told.sum('pagestream_up') === 1 ? 'up' : 'not ready',
    pagesPerSecond: told.sum('pagestream_pages_per_second', { stage: 'region-recognition' }),
    pagesInFlight: told.sum('pagestream_pages_in_flight'),
    memoryBytes: told.sum('pagestream_process_memory_bytes', { kind: 'rss' }),
  }
}

type Labels = Readonly<Record<string, string>>

/** Samples that can be asked; what is no finite number counts for nothing. */
class Told {
  readonly samples: readonly ToldSample[]
  readonly #byName = new Map<string, ToldSample[]>()

  constructor(samples: readonly ToldSample[]) {
    this.samples = samples
    for (const sample of samples) {
      const same = this.#byName.get(sample.name)
      if (same) same.push(sample)
      else this.#byName.set(sample.name, [sample])
    }
  }

  has(name: string, labels: Labels): boolean {
    return this.#values(name, labels).length > 0
  }

  sum(name: string, labels: Labels = {}): number {
    return this.#values(name, labels).reduce((sum, value) => sum + value, 0)
  }

  most(name: string, labels: Labels): number {
    return this.#values(name, labels).reduce((most, value) => Math.max(most, value), 0)
  }

  #values(name: string, labels: Labels): number[] {
    const wanted = Object.entries(labels)
    return (this.#byName.get(name) ?? []).flatMap(({ labels: own, value }) =>
      Number.isFinite(value) && wanted.every(([key, text]) => own[key] === text) ? [value] : [],
    )
  }
}
