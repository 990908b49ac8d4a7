import { describe, expect, it } from 'vitest'
import { otlpProtocol } from '../../../src/config/tracing-environment.ts'

describe('the environment of traces', () => {
  it.each([
    [{}, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, 'http/protobuf'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, 'http/protobuf'],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'http/protobuf'],
    [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, 'http/json'],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      'http/json',
    ],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_TRACES_EXPORTER: 'none' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_SDK_DISABLED: 'True' }, undefined],
  ])('of %j says %s', (env, protocol) => {
    expect(otlpProtocol(env)).toBe(protocol)
  })

  it('names the variable that asks for what is not there', () => {
    expect(() => otlpProtocol({ OTEL_TRACES_EXPORTER: 'zipkin' })).toThrow(/OTEL_TRACES_EXPORTER: zipkin/)
    expect(() => otlpProtocol({ OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(
      /OTEL_EXPORTER_OTLP_PROTOCOL: grpc.*http\/protobuf/,
    )
  })
})
