import { otlpProtocol } from '../../config/tracing-environment.ts'
import { noTracer, type Tracer } from './tracer.ts'

/** The tracer that the environment asks for. What it takes is loaded when it is asked for. Rejects with `configuration`. */
export async function openTracer(): Promise<Tracer> {
  const protocol = otlpProtocol()
  if (!protocol) return noTracer
  const { otlpTracer } = await import('./otlp-tracer.ts')
  return otlpTracer(protocol)
}
