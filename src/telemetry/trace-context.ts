/** W3C trace context: version, trace id, parent id, flags, in small hexadecimal digits. */
const traceparentForm = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const sampledFlag = 1

export interface TraceContext {
  readonly traceId: string
  readonly parentId: string
  readonly flags: number
}

/** What a `traceparent` says; undefined for any other text. Source: W3C Trace Context, chapter 3.2. */
export function parseTraceparent(traceparent: string | undefined): TraceContext | undefined {
  const [, traceId, parentId, flags] = (traceparent !== undefined && traceparentForm.exec(traceparent)) || []
  if (traceId === undefined || parentId === undefined || flags === undefined || /^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined
  return { traceId, parentId, flags: Number.parseInt(flags, 16) }
}

/** The trace of a `traceparent` that is sampled, so that somebody has kept it. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  const context = parseTraceparent(traceparent)
  return context && context.flags & sampledFlag ? context.traceId : undefined
}
