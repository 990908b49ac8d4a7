import type { StageCounts } from './counters.ts'
import type { MetricName } from './metric-list.ts'
import type { ProcessFigures } from './process-figures.ts'
import { type StageView, takingIn, type WorkerView } from './worker-view.ts'

export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

type Read = (view: WorkerView, process: ProcessFigures) => Iterable<Sample>

/** One sample a stage and lane. */
const eachStage = (read: (stage: StageView, counts: StageCounts) => number): Read => eachOf((stage, counts) => [[{}, read(stage, counts)]])

/** Several, told apart by one more label. */
const byLabel = (label: string, read: (stage: StageView, counts: StageCounts) => Readonly<Record<string, number>>): Read =>
  eachOf((stage, counts) => Object.entries(read(stage, counts)).map(([value, count]) => [{ [label]: value }, count]))

function eachOf(read: (stage: StageView, counts: StageCounts) => readonly (readonly [Readonly<Record<string, string>>, number])[]): Read {
  return ({ stages, lanes }) =>
    stages.flatMap((view) => {
      const counts = lanes.find(({ lane }) => lane === view.lane)?.counters.stages[view.stage]
      return counts ? read(view, counts).map(([labels, value]) => ({ labels: { stage: view.stage, lane: view.lane, ...labels }, value })) : []
    })
}

const eachLane = (read: (counters: WorkerView['lanes'][number]['counters']) => number): Read => {
  return ({ lanes }) => lanes.map(({ lane, counters }) => ({ labels: { lane }, value: read(counters) }))
}

const laneBy = (label: string, read: (counters: WorkerView['lanes'][number]['counters']) => Readonly<Record<string, number>>): Read => {
  return ({ lanes }) => lanes.flatMap(({ lane, counters }) => Object.entries(read(counters)).map(([key, value]) => ({ labels: { lane, [label]: key }, value })))
}

const ofProcess = (read: (process: ProcessFigures) => number): Read => {
  return (_, figures) => [{ labels: {}, value: read(figures) }]
}

const processBy = (label: string, read: (process: ProcessFigures) => Readonly<Record<string, number>>): Read => {
  return (_, figures) => Object.entries(read(figures)).map(([key, value]) => ({ labels: { [label]: key }, value }))
}

/** How each metric of the list is read; one without an entry does not compile. */
export const metricValues: Readonly<Record<MetricName, Read>> = {
  pagestream_up: ({ phase }) => [{ labels: {}, value: phase === 'running' ? 1 : 0 }],
  pagestream_pages_total: byLabel('outcome', (_, { pagesOk, pagesFailed }) => ({ ok: pagesOk, failed: pagesFailed })),
  pagestream_retries_total: eachStage((_, { retries }) => retries),
  pagestream_dead_letters_total: byLabel('class', (_, { deadLetters }) => deadLetters),
  pagestream_windows_total: eachStage((_, { windows }) => windows),
  pagestream_window_pages_total: eachStage((_, { windowPages }) => windowPages),
  pagestream_windows_closed_total: byLabel('reason', (_, { windowsClosed }) => windowsClosed),
  pagestream_busy_seconds_total: eachStage((_, { busySeconds }) => busySeconds),
  pagestream_commits_total: eachStage((_, { commits }) => commits),
  pagestream_stale_commits_total: eachStage((_, { staleCommits }) => staleCommits),
  pagestream_rebalances_total: eachStage((_, { assignments }) => assignments),
  pagestream_partitions: eachStage(({ partitions }) => partitions.length),
  pagestream_pages_in_flight: eachStage(({ pagesInFlight }) => pagesInFlight),
  pagestream_records_held_bytes: eachStage(({ bytesHeld }) => bytesHeld),
  pagestream_intake: byLabel('state', ({ state }) => Object.fromEntries(takingIn.map((name) => [name, name === state ? 1 : 0]))),
  pagestream_stalled_seconds: eachStage(({ stalledMs }) => stalledMs / 1000),
  pagestream_gate_verdicts_total: laneBy('verdict', ({ verdicts }) => verdicts),
  pagestream_gate_without_model_total: eachLane(({ pagesWithoutModel }) => pagesWithoutModel),
  pagestream_blocks_total: eachLane(({ blocks }) => blocks),
  pagestream_block_sources_total: laneBy('source', ({ blockSources }) => blockSources),
  pagestream_vlm_asks_total: eachLane(({ vlm }) => vlm.asked),
  pagestream_vlm_answers_total: laneBy('finish', ({ vlm }) => vlm.answered),
  pagestream_vlm_failures_total: laneBy('code', ({ vlm }) => vlm.failed),
  pagestream_vlm_retries_total: eachLane(({ vlm }) => vlm.retries),
  pagestream_vlm_tokens_total: laneBy('kind', ({ vlm }) => ({ prompt: vlm.promptTokens, output: vlm.outputTokens })),
  pagestream_vlm_first_token_seconds_total: eachLane(({ vlm }) => vlm.firstTokenSeconds),
  pagestream_vlm_answer_seconds_total: eachLane(({ vlm }) => vlm.answerSeconds),
  pagestream_vlm_busy_seconds_total: eachLane(({ vlm }) => vlm.busySeconds),
  pagestream_vlm_slot_seconds_total: eachLane(({ vlm }) => vlm.slotSeconds),
  pagestream_vlm_slots: laneBy('state', ({ vlm }) => ({ all: vlm.slots, allowed: vlm.slotsAllowed, used: vlm.slotsUsed })),
  pagestream_title_levels_total: laneBy('outcome', ({ titleLevels }) => titleLevels),
  pagestream_vlm_waiting: eachLane(({ vlm }) => vlm.waiting),
  pagestream_lost_words_total: eachLane(({ lostWords }) => lostWords),
  pagestream_documents_total: laneBy('status', ({ documents }) => documents),
  pagestream_process_memory_bytes: processBy('kind', ({ memoryBytes }) => memoryBytes),
  pagestream_device_info: ({ device }) => (device ? [{ labels: { device: device.id, name: device.name, driver: device.driver }, value: 1 }] : []),
  pagestream_process_cpu_seconds_total: ofProcess(({ cpuSeconds }) => cpuSeconds),
  pagestream_process_start_seconds: ofProcess(({ startSeconds }) => startSeconds),
  pagestream_event_loop_lag_seconds: processBy('kind', ({ lagSeconds }) => lagSeconds),
}
