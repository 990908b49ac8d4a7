import type { Counters, StageCounts } from '../counters.ts'
import type { ProcessFigures } from '../process-figures.ts'
import type { Totals } from '../rate-meter.ts'
import type { LaneFigures, StageView, WorkerView } from '../worker-view.ts'
import type { Metric, MetricLabel, Sample } from './metric.ts'

/** All that metrics of a worker are read from. */
export interface WorkerSource {
  readonly view: WorkerView
  readonly process: ProcessFigures
  readonly rates: Totals
}

export type WorkerMetric = Metric<WorkerSource>

type Value = Sample['value']
type Values = Readonly<Record<string, Value>>

/** One sample a stage and lane. */
export const ofStage = (read: (stage: StageView, counts: StageCounts) => Value | undefined): WorkerMetric['read'] =>
  eachStage((stage, counts) => {
    const value = read(stage, counts)
    return value === undefined ? [] : [[{}, value]]
  })

/** Several a stage and lane, told apart by one more label. */
export const ofStageBy = (label: MetricLabel, read: (stage: StageView, counts: StageCounts) => Values): WorkerMetric['read'] =>
  eachStage((stage, counts) => Object.entries(read(stage, counts)).map(([key, value]) => [{ [label]: key }, value]))

function eachStage(read: (stage: StageView, counts: StageCounts) => readonly (readonly [Readonly<Record<string, string>>, Value])[]): WorkerMetric['read'] {
  return ({ view: { stages, lanes } }) =>
    stages.flatMap((view) => {
      const counts = lanes.find(({ lane }) => lane === view.lane)?.counters.stages[view.stage]
      return counts ? read(view, counts).map(([labels, value]) => ({ labels: { stage: view.stage, lane: view.lane, ...labels }, value })) : []
    })
}

/** One sample a lane. */
export const ofLane =
  (read: (counters: Counters, lane: LaneFigures) => Value): WorkerMetric['read'] =>
  ({ view: { lanes } }) =>
    lanes.map((figures) => ({ labels: { lane: figures.lane }, value: read(figures.counters, figures) }))

/** Several a lane, told apart by one more label. */
export const ofLaneBy =
  (label: MetricLabel, read: (counters: Counters, lane: LaneFigures) => Values): WorkerMetric['read'] =>
  ({ view: { lanes } }) =>
    lanes.flatMap((figures) => Object.entries(read(figures.counters, figures)).map(([key, value]) => ({ labels: { lane: figures.lane, [label]: key }, value })))
