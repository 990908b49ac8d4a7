import type { Config } from '../config/config.ts'
import type { Lane } from '../schema/lane.ts'
import type { StageName } from '../schema/stage.ts'
import type { Log } from '../telemetry/log/log.ts'
import type { StageView, WorkerView } from '../telemetry/worker-view.ts'

export interface LaneOptions {
  readonly config: Config
  readonly stages: ReadonlySet<StageName>
  readonly lane: Lane
}

/** A lane as it stands. */
export type LaneView = WorkerView['lanes'][number] & { readonly stages: readonly StageView[] }

export interface LaneEvents {
  /** The lane cannot go on: the process must end. */
  fatal(error: Error): void
  /** What a person should know while it goes on, and what failed for good. */
  readonly log: Log
}

/** The stages of one lane, in this thread or in one of their own. */
export interface LaneRunner extends AsyncDisposable {
  readonly view: LaneView
  /** Joins the groups of all stages. Rejects with `configuration`, `kafka-*`, `store-failed`. */
  start(): Promise<void>
  /** Takes nothing new in, finishes or gives back what is in hand, commits and leaves the groups. */
  drain(): Promise<void>
}
