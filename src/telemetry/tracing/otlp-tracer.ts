import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Link,
  type Attributes as OtelAttributes,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import { packageVersion } from '../../config/package-root.ts'
import type { OtlpProtocol } from '../../config/tracing-environment.ts'
import { parseTraceparent } from '../trace-context.ts'
import type { Attributes, Span, SpanOptions, Tracer } from './tracer.ts'

/** Of a window, pages that are linked to; the SDK's own limit may be lower. */
const mostLinks = 128
/** What a collector that is away may hold up the end of a process. */
const flushMs = 3_000

const kinds = { internal: SpanKind.INTERNAL, consumer: SpanKind.CONSUMER, producer: SpanKind.PRODUCER, client: SpanKind.CLIENT } as const

/** A tracer that sends its spans in batches over OTLP. Spans that no collector takes are dropped, never waited for. */
export async function otlpTracer(protocol: OtlpProtocol): Promise<Tracer> {
  return new OtlpTracer(await exporterOf(protocol))
}

async function exporterOf(protocol: OtlpProtocol): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json' ? await import('@opentelemetry/exporter-trace-otlp-http') : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter()
}

class OtlpTracer implements Tracer {
  readonly enabled = true
  readonly #provider: BasicTracerProvider
  readonly #tracer
  readonly #current = new AsyncLocalStorage<string | undefined>()

  constructor(exporter: SpanExporter) {
    const own = resourceFromAttributes({ 'service.name': 'pagestream', 'service.version': packageVersion() })
    const resource = defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] }))
    this.#provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] })
    this.#tracer = this.#provider.getTracer('pagestream', packageVersion())
  }

  start(name: string, { kind = 'internal', parent, links = [], attributes, startMs }: SpanOptions = {}): Span {
    const above = contextOf(parent)
    const context = above ? trace.setSpanContext(ROOT_CONTEXT, above) : ROOT_CONTEXT
    const linked = links.slice(0, mostLinks).flatMap((link): Link[] => {
      const linkContext = contextOf(link)
      return linkContext ? [{ context: linkContext }] : []
    })
    return new OtlpSpan(
      this.#tracer.startSpan(
        name,
        { kind: kinds[kind], links: linked, attributes: present(attributes), ...(startMs !== undefined && { startTime: startMs }) },
        context,
      ),
    )
  }

  within<T>(span: Span, run: () => T): T {
    return this.#current.run(span.traceparent, run)
  }

  current(): string | undefined {
    return this.#current.getStore()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, flushMs).unref())
    await Promise.race([this.#provider.shutdown().catch(() => undefined), late])
  }
}

class OtlpSpan implements Span {
  readonly traceparent: string
  readonly #span: OtelSpan

  constructor(span: OtelSpan) {
    this.#span = span
    const { traceId, spanId, traceFlags } = span.spanContext()
    this.traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(present(attributes))
  }

  event(name: string, attributes?: Attributes): void {
    this.#span.addEvent(name, present(attributes))
  }

  fail({ class: kind, code }: Parameters<Span['fail']>[0]): void {
    this.#span.setAttributes({ 'error.type': code, 'pagestream.failure.class': kind })
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message: code })
  }

  end(): void {
    this.#span.end()
  }
}

function contextOf(traceparent: string | undefined): SpanContext | undefined {
  const parsed = parseTraceparent(traceparent)
  return parsed && { traceId: parsed.traceId, spanId: parsed.parentId, traceFlags: parsed.flags, isRemote: true }
}

const present = (attributes: Attributes = {}): OtelAttributes =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, typeof value === 'object' ? [...value] : value]])),
  )
