import { takingIn } from '../worker-view.ts'
import { ofLane, ofLaneBy, ofStage, ofStageBy, type WorkerMetric } from './of-worker.ts'

const stage = ['stage', 'lane'] as const

/** What stages have done, how long it took and how full their windows were. */
export const stageMetrics = [
  {
    ...{ name: 'pagestream_pages_total', type: 'counter', unit: 'pages', labels: [...stage, 'outcome'] },
    help: 'Pages that a stage has finished: ok, or failed for good.',
    read: ofStageBy('outcome', (_, { pagesOk, pagesFailed }) => ({ ok: pagesOk, failed: pagesFailed })),
  },
  {
    ...{ name: 'pagestream_stage_seconds', type: 'histogram', unit: 'seconds', labels: stage },
    help: 'From when a stage took a page in until what follows from it was sent, for pages that it finished.',
    read: ofStage((_, { pageSeconds }) => pageSeconds),
  },
  {
    ...{ name: 'pagestream_retries_total', type: 'counter', unit: 'none', labels: stage },
    help: 'Tries of pages and records that failed and were made again.',
    read: ofStage((_, { retries }) => retries),
  },
  {
    ...{ name: 'pagestream_dead_letters_total', type: 'counter', unit: 'none', labels: [...stage, 'class'] },
    help: 'Pages and records that failed for good, by class of failure.',
    read: ofStageBy('class', (_, { deadLetters }) => deadLetters),
  },
  {
    ...{ name: 'pagestream_window_pages', type: 'histogram', unit: 'pages', labels: stage },
    help: 'Pages of the windows that a stage has begun to work on.',
    read: ofStage((_, { windowPages }) => windowPages),
  },
  {
    ...{ name: 'pagestream_window_fill_ratio', type: 'histogram', unit: 'ratio', labels: stage },
    help: 'How full these windows were: of their limits of pages, work and bytes, the one that was nearest.',
    read: ofStage((_, { windowFill }) => windowFill),
  },
  {
    ...{ name: 'pagestream_windows_closed_total', type: 'counter', unit: 'windows', labels: [...stage, 'reason'] },
    help: 'Windows that were closed, and why: so many pages, so much work, so many bytes, age, nobody at work, drain.',
    read: ofStageBy('reason', (_, { windowsClosed }) => windowsClosed),
  },
  {
    ...{ name: 'pagestream_window_phase_seconds', type: 'histogram', unit: 'seconds', labels: [...stage, 'phase'] },
    help: 'Phases of a window: gather (the age of its oldest page when it closed), queue (until it was begun), work (until the outcome of its last page), send (until that was sent).',
    read: ofStageBy('phase', (_, { windowPhases }) => windowPhases),
  },
  {
    ...{ name: 'pagestream_busy_seconds_total', type: 'counter', unit: 'seconds', labels: stage },
    help: 'Seconds during which a stage worked on at least one window, counted when a window ends: the rate is how busy the stage is.',
    read: ofStage((_, { busySeconds }) => busySeconds),
  },
  {
    ...{ name: 'pagestream_pages_in_flight', type: 'gauge', unit: 'pages', labels: stage },
    help: 'Pages that a stage has taken in and not finished.',
    read: ofStage(({ pagesInFlight }) => pagesInFlight),
  },
  {
    ...{ name: 'pagestream_records_held_bytes', type: 'gauge', unit: 'bytes', labels: stage },
    help: 'Bytes of records that a stage has taken in and not finished: at most worker.maxBufferedBytes, and one fetch of each broker.',
    read: ofStage(({ bytesHeld }) => bytesHeld),
  },
  {
    ...{ name: 'pagestream_intake', type: 'gauge', unit: 'none', labels: [...stage, 'state'] },
    help: '1 for the state of the intake: open, waiting for an engine or store, or stopped as too much failed (the circuit breaker).',
    read: ofStageBy('state', ({ state }) => Object.fromEntries(takingIn.map((name) => [name, name === state ? 1 : 0]))),
  },
  {
    ...{ name: 'pagestream_stalled_seconds', type: 'gauge', unit: 'seconds', labels: stage },
    help: 'Seconds for which pages have been in hand and none was finished.',
    read: ofStage(({ stalledMs }) => stalledMs / 1000),
  },
  {
    ...{ name: 'pagestream_lane_loop_lag_seconds', type: 'gauge', unit: 'seconds', labels: ['lane', 'kind'] },
    help: 'By how much timers were late in the thread of a lane within the last quarter of a minute: p50, p99 and max.',
    read: ofLaneBy('kind', (_, { loopLagSeconds }) => loopLagSeconds),
  },
  {
    ...{ name: 'pagestream_first_page_seconds', type: 'histogram', unit: 'seconds', labels: ['lane'] },
    help: "From a document's submission until its first page was finished, whose blocks are on their topic then; nothing where page 1 was not asked for.",
    read: ofLane(({ firstPageSeconds }) => firstPageSeconds),
  },
] as const satisfies readonly WorkerMetric[]
