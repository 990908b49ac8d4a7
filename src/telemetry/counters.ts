import type { DocumentAssembled } from '../schema/events.ts'
import { type FailureClass, failureClasses } from '../schema/failure.ts'
import type { VerdictKind } from '../schema/page.ts'
import { type CloseReason, type StageName, stageNames } from '../schema/stage.ts'
import { Distribution } from './distribution.ts'
import { StoreCounters } from './store-counters.ts'
import { VlmCounters } from './vlm-counters.ts'

/** A model that a lane works with. */
export interface ModelFigures {
  readonly task: 'text-finder' | 'line-reader' | 'page-reader'
  readonly model: string
  /** `none` where the model belongs to no family of vision-language models. */
  readonly family: string
  readonly engine: string
  readonly device: string
  /** How long it took to load; undefined where it is loaded with the first picture. */
  readonly loadSeconds: number | undefined
}

/** What a block's content came from, as it is counted. */
export type BlockOrigin = 'text-layer' | 'ocr' | 'model' | 'fallback' | 'none'

/** Phases of a window: until it closes, until it is begun, until the outcome of its last page, until that is sent. */
export type WindowPhase = 'gather' | 'queue' | 'work' | 'send'

/** What one stage has done so far. */
export interface StageCounts {
  pagesOk: number
  pagesFailed: number
  /** From when a page was taken in until what follows from it was sent. */
  readonly pageSeconds: Distribution
  /** Of windows that were begun: their pages, and the share of the limit that they were nearest to. */
  readonly windowPages: Distribution
  readonly windowFill: Distribution
  readonly windowsClosed: Record<CloseReason, number>
  readonly windowPhases: Record<WindowPhase, Distribution>
  /** Records that were finished. */
  records: number
  retries: number
  readonly deadLetters: Record<FailureClass, number>
  commits: number
  /** Commits that came too late: the partition had another owner. */
  staleCommits: number
  /** How often its partitions were assigned anew. */
  assignments: number
  /** Wall-clock seconds during which at least one window was worked on. */
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
  /** In the order in which they were started. */
  readonly models: ModelFigures[] = []
  /** Of the vision-language model, where there is one. */
  readonly vlm = new VlmCounters()
  /** Documents that a model was to give the levels of their headings: it has told them, or they kept their own. */
  readonly titleLevels = { told: 0, kept: 0 }
  readonly store = new StoreCounters()
  /** From when records were asked to be sent until they were acknowledged. */
  readonly publishSeconds = new Distribution('seconds')
  /** From the submission of documents until their first page, and until their end. */
  readonly firstPageSeconds = new Distribution('waiting')
  readonly documentSeconds: Record<DocumentAssembled['status'], Distribution> = {
    complete: new Distribution('waiting'),
    partial: new Distribution('waiting'),
    failed: new Distribution('waiting'),
  }
  /** Trusted words of text layers that no block holds. */
  lostWords = 0
  readonly documents: Record<DocumentAssembled['status'], number> = { complete: 0, partial: 0, failed: 0 }

  constructor() {
    this.stages = Object.fromEntries(stageNames.map((name) => [name, zero()])) as Record<StageName, StageCounts>
  }
}

const zero = (): StageCounts => ({
  ...{ pagesOk: 0, pagesFailed: 0, records: 0, retries: 0, commits: 0, staleCommits: 0, assignments: 0, busySeconds: 0 },
  ...{ pageSeconds: new Distribution('seconds'), windowPages: new Distribution('pages'), windowFill: new Distribution('share') },
  windowPhases: {
    gather: new Distribution('seconds'),
    queue: new Distribution('seconds'),
    work: new Distribution('seconds'),
    send: new Distribution('seconds'),
  },
  windowsClosed: { pages: 0, cost: 0, bytes: 0, age: 0, idle: 0, drain: 0 },
  deadLetters: Object.fromEntries(failureClasses.map((name) => [name, 0])) as Record<FailureClass, number>,
})
