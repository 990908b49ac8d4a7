import type { Failure } from '../../schema/failure.ts'

/** Values of attributes; undefined ones are left out. No text of documents. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** What a span is for others, as OpenTelemetry names it. */
export type SpanKind = 'internal' | 'consumer' | 'producer' | 'client'

export interface SpanOptions {
  readonly kind?: SpanKind
  /** W3C trace context of the work that it belongs to; a trace of its own where there is none. */
  readonly parent?: string | undefined
  /** Trace contexts of other work that it has to do with; a tracer keeps a bounded number. */
  readonly links?: readonly string[]
  readonly attributes?: Attributes
  /** When it began, in milliseconds since 1970; now when absent. */
  readonly startMs?: number
}

/** Work with a beginning and an end. */
export interface Span {
  /** What work that follows from it names as its parent. */
  readonly traceparent: string | undefined
  set(attributes: Attributes): void
  /** Something that happened in between. */
  event(name: string, attributes?: Attributes): void
  fail(failure: Pick<Failure, 'class' | 'code'>): void
  end(): void
}

/** The one door to tracing: what is worked on tells spans, and knows nothing of where they go. */
export interface Tracer extends AsyncDisposable {
  /** False where nobody listens: then attributes need not be made. */
  readonly enabled: boolean
  start(name: string, options?: SpanOptions): Span
  /** Runs with the span as the current one, for all that is awaited in it. */
  within<T>(span: Span, run: () => T): T
  /** Trace context of the current span. */
  current(): string | undefined
}

const silentSpan = (traceparent: string | undefined): Span => ({ traceparent, set() {}, event() {}, fail() {}, end() {} })

/** Keeps nothing; contexts that came are carried on as they are. */
export const noTracer: Tracer = {
  enabled: false,
  start: (_, options) => silentSpan(options?.parent),
  within: (_, run) => run(),
  current: () => undefined,
  async [Symbol.asyncDispose]() {},
}
