import { PagestreamError } from '../schema/failure.ts'
import { surroundingEnvironment } from './places.ts'

const protocols = ['http/protobuf', 'http/json'] as const
export type OtlpProtocol = (typeof protocols)[number]

type Environment = Readonly<Record<string, string | undefined>>

/**
 * How traces leave, by the standard variables of OpenTelemetry; undefined where none asks for them. Addresses, headers, sampling, batches and
 * resources are read from the same environment by the exporter itself. Throws `configuration` for an exporter or protocol that we have not.
 */
export function otlpProtocol(env: Environment = surroundingEnvironment()): OtlpProtocol | undefined {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  const exporter = env.OTEL_TRACES_EXPORTER ?? (env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT ? 'otlp' : 'none')
  if (exporter === 'none' || exporter === '') return undefined
  if (exporter !== 'otlp') throw new PagestreamError('configuration', `OTEL_TRACES_EXPORTER: ${exporter} is none of otlp, none`)
  const asked = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf'
  const protocol = protocols.find((name) => name === asked)
  if (!protocol) throw new PagestreamError('configuration', `OTEL_EXPORTER_OTLP_PROTOCOL: ${asked} is none of ${protocols.join(', ')}`)
  return protocol
}
