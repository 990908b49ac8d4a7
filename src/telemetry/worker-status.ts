import { packageVersion } from '../config/package-root.ts'
import type { WorkerStatus } from '../schema/worker-status.ts'
import type { ProcessFigures } from './process-figures.ts'
import type { Totals } from './rate-meter.ts'
import { pageRate, tokenRates } from './worker-rates.ts'
import type { LaneFigures, StageView, WorkerView } from './worker-view.ts'

/** What `/status` tells of a worker. */
export function workerStatus(view: WorkerView, rates: Totals, process: Pick<ProcessFigures, 'startSeconds' | 'restarts'>): WorkerStatus {
  const { phase, device, stages, lanes, notice, lastError } = view
  return {
    ...{ phase, version: packageVersion(), startedAt: new Date(process.startSeconds * 1000).toISOString(), restarts: process.restarts ?? null },
    engineRestarts: lanes.reduce((sum, { counters }) => sum + counters.vlm.restarts, view.engineRestarts),
    device: device ? { id: device.id, name: device.name, driver: device.driver } : null,
    stages: stages.map((stage) => stageStatus(stage, lanes, rates)),
    lanes: lanes.map((lane) => laneStatus(lane, rates)),
    lastNotice: notice ?? null,
    lastError: lastError ?? null,
  }
}

function stageStatus(view: StageView, lanes: readonly LaneFigures[], rates: Totals): WorkerStatus['stages'][number] {
  const { stage, lane, state, partitions, isPaused, window, pagesInFlight, bytesHeld, lagRecords, lagSeconds, stalledMs } = view
  const counts = lanes.find((each) => each.lane === lane)?.counters.stages[stage]
  return {
    ...{ stage, lane, state, partitions: [...partitions], isPaused, pagesInFlight, bytesHeld, lagSeconds, stalledMs },
    window: { ...window, oldestMs: window.oldestMs ?? null },
    lagRecords: lagRecords ?? null,
    pagesPerSecond: pageRate(rates, stage, lane),
    pages: { ok: counts?.pagesOk ?? 0, failed: counts?.pagesFailed ?? 0 },
  }
}

function laneStatus({ lane, counters: { models, vlm }, sending }: LaneFigures, rates: Totals): WorkerStatus['lanes'][number] {
  const { prompt = 0, output = 0 } = tokenRates(rates, lane)
  const hasEngine = models.some(({ task }) => task === 'page-reader')
  return {
    ...{ lane, sending, tokensPerSecond: { prompt, output } },
    models: models.map((model) => ({ ...model, loadSeconds: model.loadSeconds ?? null })),
    engine: hasEngine ? { away: vlm.isAway, slots: vlm.slots, allowed: vlm.slotsAllowed, used: vlm.slotsUsed, waiting: vlm.waiting } : null,
  }
}
