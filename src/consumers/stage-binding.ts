import type { Failure } from '../schema/failure.ts'
import type { Stage } from '../schema/stage.ts'
import type { TopicName, TopicPayload } from '../schema/topics.ts'
import type { OutRecord } from './bus.ts'

/** What one record of the stage's topic stands for: pages to work on, or events that follow without any work. */
export type Expanded<In> = { readonly kind: 'page'; readonly page: In } | { readonly kind: 'publish'; readonly records: readonly OutRecord[] }

/** What the events that follow from a record carry on: its trace, the run that asked for it, and when its document was submitted. */
export type Cause = Pick<OutRecord, 'traceparent' | 'run' | 'submittedMs'>

/** How a stage is tied to its topics: reads references from the store, writes results, says which events follow. */
export interface StageBinding<T extends TopicName, In, Out> {
  readonly topic: T
  readonly stage: Stage<In, Out>
  /** Events that a binding publishes itself carry the cause on. */
  expand(payload: TopicPayload<T>, signal: AbortSignal, cause: Cause): AsyncIterable<Expanded<In>>
  /** Stores the value, then answers with the events that follow. */
  done(input: In, value: Out): Promise<readonly OutRecord[]>
  /** The terminal events of a page that failed for good. */
  failed(input: In, failure: Failure): Promise<readonly OutRecord[]>
  /** Partitions may have come from other processes or gone to them: what is remembered of documents may be out of date. */
  reassigned?(): void
  /** The terminal events of a record that could not be expanded. */
  unreadable(payload: TopicPayload<T>, failure: Failure): Promise<readonly OutRecord[]>
}
