import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'

export interface CollectedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status?: { readonly code?: number }
}

interface OtlpBody {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[] }[]
}

/** Takes traces over OTLP, as JSON; of others it notes the content type and the bytes. */
export async function otlpCollector() {
  const spans: CollectedSpan[] = []
  const others: { readonly path: string; readonly type: string; readonly bytes: number }[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces)
    const whole = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
    const type = request.headers['content-type'] ?? ''
    if (type.includes('json')) {
      const { resourceSpans } = JSON.parse(whole.toString('utf8')) as OtlpBody
      for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
    } else others.push({ path: request.url ?? '', type, bytes: whole.length })
    response.writeHead(200, { 'content-type': type }).end(type.includes('json') ? '{}' : '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return { url, spans, others, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

export const attribute = ({ attributes }: CollectedSpan, name: string): unknown => Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0]
