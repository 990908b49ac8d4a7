import type { FailureCode } from '../schema/failure.ts'
import type { Lane } from '../schema/lane.ts'
import type { StageName } from '../schema/stage.ts'
import type { Counters } from './counters.ts'
import type { LagSeconds } from './loop-lag.ts'

/** Whether a stage takes in: `waiting` for what it works with, `stopped` as too much fails. */
export const takingIn = ['open', 'waiting', 'stopped'] as const

/** The windows of a stage and lane. */
export interface WindowView {
  /** Pages of the one that is being filled, and how long its oldest has waited; undefined where there is none. */
  readonly openPages: number
  readonly oldestMs: number | undefined
  /** Windows that are closed and wait for their turn, and that are worked on. */
  readonly waiting: number
  readonly running: number
}

/** A stage and lane of a worker as it stands. */
export interface StageView {
  readonly stage: StageName
  readonly lane: Lane
  readonly state: (typeof takingIn)[number]
  /** Partitions that are ours. */
  readonly partitions: readonly number[]
  /** Whether they are not read on at the moment. */
  readonly isPaused: boolean
  readonly window: WindowView
  readonly pagesInFlight: number
  /** Of records that are taken in and not finished. */
  readonly bytesHeld: number
  /** Records of its partitions that are not finished; undefined until the broker has told. */
  readonly lagRecords: number | undefined
  /** Age of the oldest record in hand that is not finished. */
  readonly lagSeconds: number
  /** Milliseconds for which work has been in hand and nothing was finished. */
  readonly stalledMs: number
}

/** A lane of a worker as it stands. */
export interface LaneFigures {
  readonly lane: Lane
  readonly counters: Counters
  /** Of the event loop of its thread. */
  readonly loopLagSeconds: LagSeconds
  /** What waits to be sent. */
  readonly sending: { readonly records: number; readonly bytes: number }
}

/** What a worker tells of itself. */
export interface WorkerView {
  /** `starting` until its groups are joined, `stopping` when it drains. */
  readonly phase: 'starting' | 'running' | 'stopping'
  readonly stages: readonly StageView[]
  readonly lanes: readonly LaneFigures[]
  /** What it was told last that a person should know. */
  readonly notice: { readonly at: string; readonly text: string } | undefined
  /** What failed last: of a page for good, or for now of what the worker works with. */
  readonly lastError?: { readonly at: string; readonly code: FailureCode; readonly text: string; readonly stage?: StageName; readonly lane?: Lane } | undefined
  /** What its models run on; undefined where nothing asked for a device. */
  readonly device?: { readonly id: string; readonly name: string; readonly driver: string } | undefined
  /** Times that a server which the worker minds for all lanes fell and was started again. */
  readonly engineRestarts: number
  /** After so long without progress it ends itself. */
  readonly stallMs: number
}
