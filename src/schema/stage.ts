import type { Failure } from './failure.ts'

export const stageNames = ['page-render', 'text-finder', 'layout', 'region-recognition', 'assemble'] as const
export type StageName = (typeof stageNames)[number]

/** Why a window was closed: so many pages, so much work, so many bytes, its age, nobody at work, the end of the intake. */
export type CloseReason = 'pages' | 'cost' | 'bytes' | 'age' | 'idle' | 'drain'

/** Pages that are worked on together. */
export interface Window<In> {
  readonly id: number
  readonly pages: readonly In[]
}

export type Outcome<In, Out> =
  | { readonly kind: 'done'; readonly input: In; readonly value: Out }
  | { readonly kind: 'failed'; readonly input: In; readonly failure: Failure }

/** What a stage is: a name, a price and a function. It is handed its engines; it never builds one. */
export interface Stage<In, Out> {
  readonly name: StageName
  /** Expected work of one page in milliseconds of one core: what windows are filled by. */
  cost(input: In): number
  /** Expected bytes that a page holds in memory from its window on until its outcome is out; none to speak of when absent. */
  bytes?(input: In): number
  /**
   * Yields exactly one outcome for each page of the window, in any order, as soon as it is known.
   * Never throws for a bad page; an abort ends it after the outcomes in flight.
   */
  process(window: Window<In>, signal: AbortSignal): AsyncIterable<Outcome<In, Out>>
}
