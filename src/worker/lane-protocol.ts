import type { Config } from '../config/config.ts'
import type { FailureCode } from '../schema/failure.ts'
import type { Lane } from '../schema/lane.ts'
import type { StageName } from '../schema/stage.ts'
import type { LogEntry } from '../telemetry/log/log.ts'
import type { LaneView } from './lane-runner.ts'

/** What the thread of a lane is started with. */
export interface LaneThreadData {
  readonly config: Config
  readonly stages: readonly StageName[]
  readonly lane: Lane
  /** What the thread and all threads that it starts give way with, 0 to 19. */
  readonly nice: number
}

export interface LaneFailure {
  readonly code: FailureCode
  readonly message: string
}

/** How often a thread tells how it stands. */
export const viewEveryMs = 500

/** It starts at once and answers with `ready` or `failed`. `end` drains and ends the thread. */
export type ToLane = 'drain' | 'end'

export type FromLane =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly failure: LaneFailure }
  | { readonly kind: 'fatal'; readonly failure: LaneFailure }
  | { readonly kind: 'log'; readonly entry: LogEntry }
  | { readonly kind: 'view'; readonly view: LaneView }
  | { readonly kind: 'drained' }
