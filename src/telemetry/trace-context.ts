/** W3C trace context, version 00: version, trace id, parent id, flags. */
const traceparentForm = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-([0-9a-f]{2})$/
const sampledFlag = 1

/** The trace of a `traceparent` that is sampled, so that somebody has kept it; undefined for any other text. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  const [, traceId, flags] = (traceparent && traceparentForm.exec(traceparent)) || []
  return flags !== undefined && Number.parseInt(flags, 16) & sampledFlag ? traceId : undefined
}
