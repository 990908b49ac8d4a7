import type { DocumentAssembled } from '../schema/events.ts'
import { type FailureClass, failureClasses } from '../schema/failure.ts'
import type { VerdictKind } from '../schema/page.ts'
import { type CloseReason, type StageName, stageNames } from '../schema/stage.ts'
import { VlmCounters } from './vlm-counters.ts'

/** What a block's content came from, as it is counted. */
export type BlockOrigin = 'text-layer' | 'ocr' | 'model' | 'fallback' | 'none'

/** What one stage has done so far. */
export interface StageCounts {
  pagesOk: number
  pagesFailed: number
  windows: number
  /** Pages of these windows: with their number, how full they were. */
  windowPages: number
  readonly windowsClosed: Record<CloseReason, number>
  retries: number
  readonly deadLetters: Record<FailureClass, number>
  commits: number
  /** Commits that came too late: the partition had another owner. */
  staleCommits: number
  /** How often its partitions were assigned anew. */
  assignments: number
  /** Wall-clock seconds during which at least one window was open, and the first and last moment of work. */
  busySeconds: number
}

/**
 * Counts of a running chain, one for each lane. Only ever grow; exporters read them.
 */
export class Counters {
  readonly stages: Record<StageName, StageCounts>
  /** Verdicts of the gate, and how many of them needed no model. */
  readonly verdicts: Record<VerdictKind, number> = { blank: 0, 'text-layer': 0, 'needs-reading': 0, mixed: 0 }
  pagesWithoutModel = 0
  blocks = 0
  /** Of these, by what their content came from; `fallback`: a model or text layer was meant to read them and could not. */
  readonly blockSources: Record<BlockOrigin, number> = { 'text-layer': 0, ocr: 0, model: 0, fallback: 0, none: 0 }
  /** Of the vision-language model, where there is one. */
  readonly vlm = new VlmCounters()
  /** Documents that a model was to give the levels of their headings: it has told them, or they kept their own. */
  readonly titleLevels = { told: 0, kept: 0 }
  /** Trusted words of text layers that no block holds. */
  lostWords = 0
  readonly documents: Record<DocumentAssembled['status'], number> = { complete: 0, partial: 0, failed: 0 }

  constructor() {
    this.stages = Object.fromEntries(stageNames.map((name) => [name, zero()])) as Record<StageName, StageCounts>
  }
}

const zero = (): StageCounts => ({
  ...{ pagesOk: 0, pagesFailed: 0, windows: 0, windowPages: 0, retries: 0, commits: 0, staleCommits: 0, assignments: 0, busySeconds: 0 },
  windowsClosed: { pages: 0, cost: 0, bytes: 0, age: 0, idle: 0, drain: 0 },
  deadLetters: Object.fromEntries(failureClasses.map((name) => [name, 0])) as Record<FailureClass, number>,
})
