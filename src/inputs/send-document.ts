import type { Bus } from '../consumers/bus.ts'
import { toFailure } from '../schema/failure.ts'
import type { TopicPayload } from '../schema/topics.ts'
import { sending } from '../telemetry/tracing/conventions.ts'
import type { Tracer } from '../telemetry/tracing/tracer.ts'

/** Sends a document's reference; its trace begins here. `run`: the backfill that asked for it. Rejects as the bus does. */
export async function sendDocument(
  { bus, tracer }: { readonly bus: Bus; readonly tracer: Tracer },
  payload: TopicPayload<'documents'>,
  run?: string,
): Promise<void> {
  const { documentId: key } = payload
  const span = tracer.start('send documents', { kind: 'producer', attributes: { ...sending('documents'), 'pagestream.document.id': key } })
  const { traceparent } = span
  try {
    await bus.publish([{ topic: 'documents', key, payload, ...(run !== undefined && { run }), ...(traceparent !== undefined && { traceparent }) }])
  } catch (error) {
    span.fail(toFailure(error))
    throw error
  } finally {
    span.end()
  }
}
