import { toFailure } from '../../../schema/failure.ts'
import { answered, asking } from '../../../telemetry/tracing/conventions.ts'
import type { Tracer } from '../../../telemetry/tracing/tracer.ts'
import type { Answer, VlmEngine } from '../engine.ts'
import type { QueuedAsk } from './queued-ask.ts'

/** Sends a question, with a span of its own below the work that asks. Rejects as `send` does. */
export async function traced(tracer: Tracer, engine: VlmEngine, { ask, traceparent, tries }: QueuedAsk, send: () => Promise<Answer>): Promise<Answer> {
  if (!tracer.enabled) return send()
  const attributes = { ...asking(engine.name, engine.model, ask.maxTokens), 'pagestream.task': ask.task, 'pagestream.try': tries + 1 }
  const span = tracer.start(`chat ${engine.model}`, { kind: 'client', parent: traceparent, attributes })
  try {
    const answer = await send()
    span.set(answered(answer))
    return answer
  } catch (error) {
    span.fail(toFailure(error))
    throw error
  } finally {
    span.end()
  }
}
