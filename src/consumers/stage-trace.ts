import type { Failure } from '../schema/failure.ts'
import type { Lane } from '../schema/lane.ts'
import type { StageName } from '../schema/stage.ts'
import { processing } from '../telemetry/tracing/conventions.ts'
import type { Attributes, Span, Tracer } from '../telemetry/tracing/tracer.ts'
import type { TakenRecord } from './intake.ts'

/** Where a page stands that its span tells of; inputs of stages have it in a `page`, or are one. */
interface PageLike {
  readonly page?: { readonly documentId?: string; readonly pageIndex?: number }
}

/** Which document and page an input of a stage is of; its record has the document as its key. */
export function placeOf(input: unknown, { key }: Pick<TakenRecord, 'key'>): { readonly documentId: string; readonly pageIndex: number | undefined } {
  const { page } = input as PageLike
  return { documentId: page?.documentId ?? key, pageIndex: page?.pageIndex }
}

/** A window as it is traced. */
export interface TracedWindow {
  readonly span: Span
  /** Begins the work on pages of it. */
  work(pages: number): TracedWork
  /** All outcomes were sent; `workedAt` by the clock of `performance`. */
  sent(workedAt: number): void
}

export interface TracedWork {
  /** The outcomes, asked for with the work as the current span: what is asked of engines belongs to it. */
  run<T>(process: () => AsyncIterable<T>): AsyncIterable<T>
  end(): void
}

/** What events that follow from a span's work carry on. */
export const carried = ({ traceparent }: Span): { readonly traceparent?: string } => (traceparent === undefined ? {} : { traceparent })

/** Spans of one stage: one for each page, a child of what its record came from; one for each window, with links to its pages. */
export class StageTrace {
  readonly #tracer: Tracer
  readonly #stage: StageName
  readonly #group: string
  readonly #attributes: Attributes

  constructor(tracer: Tracer, { stage, lane, group }: { readonly stage: StageName; readonly lane: Lane; readonly group: string }) {
    this.#tracer = tracer
    this.#stage = stage
    this.#group = group
    this.#attributes = { 'pagestream.stage': stage, 'pagestream.lane': lane }
  }

  /** A page that is taken in; undefined where nobody listens. */
  page(record: TakenRecord, input: unknown): Span | undefined {
    if (!this.#tracer.enabled) return undefined
    const { documentId, pageIndex } = placeOf(input, record)
    return this.#process(record, { 'pagestream.document.id': documentId, 'pagestream.page.index': pageIndex })
  }

  /** A record that can never be worked on. */
  refused(record: TakenRecord, failure: Failure): void {
    if (!this.#tracer.enabled) return
    const span = this.#process(record, {})
    span.fail(failure)
    span.end()
  }

  #process(record: TakenRecord, attributes: Attributes): Span {
    const { topic, partition, offset, traceparent } = record
    const place = processing({ topic: record.origin?.topic ?? topic, partition, offset, group: this.#group })
    return this.#tracer.start(`process ${topic}`, { kind: 'consumer', parent: traceparent, attributes: { ...this.#attributes, ...place, ...attributes } })
  }

  /** A window that is begun; times in milliseconds. */
  window(items: readonly { readonly span?: Span | undefined }[], { gatheredMs, queuedMs }: { readonly gatheredMs: number; readonly queuedMs: number }) {
    if (!this.#tracer.enabled) return undefined
    const now = Date.now()
    const links = items.flatMap(({ span }) => span?.traceparent ?? [])
    const startMs = now - queuedMs - gatheredMs
    const attributes = { ...this.#attributes, 'messaging.batch.message_count': items.length }
    const window = this.#tracer.start(`window ${this.#stage}`, { links, startMs, attributes })
    for (const { span } of items) span?.set({ 'pagestream.window': window.traceparent })
    window.event('closed', { 'pagestream.gather.seconds': gatheredMs / 1000, 'pagestream.queue.seconds': queuedMs / 1000 })
    return this.#traced(window)
  }

  #traced(window: Span): TracedWindow {
    const tracer = this.#tracer
    const parent = window.traceparent
    return {
      span: window,
      work(pages) {
        const span = tracer.start('work', { parent, attributes: { 'messaging.batch.message_count': pages } })
        return { run: (process) => withinEach(tracer, span, process), end: () => span.end() }
      },
      sent: (workedAt) => tracer.start('send', { parent, startMs: Date.now() - (performance.now() - workedAt) }).end(),
    }
  }
}

/** A generator runs in the context of whoever asks it for its next value. */
async function* withinEach<T>(tracer: Tracer, span: Span, process: () => AsyncIterable<T>): AsyncIterable<T> {
  const iterator = tracer.within(span, () => process()[Symbol.asyncIterator]())
  try {
    for (;;) {
      const next = await tracer.within(span, () => iterator.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    await iterator.return?.()
  }
}
