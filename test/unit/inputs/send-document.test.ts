import { expect, it } from 'vitest'
import type { OutRecord } from '../../../src/consumers/bus.ts'
import { sendDocument } from '../../../src/inputs/send-document.ts'
import { PagestreamError } from '../../../src/schema/failure.ts'
import { noTracer, type Tracer } from '../../../src/telemetry/tracing/tracer.ts'

const payload = { documentId: 'd', revision: 'r', ocr: 'auto' as const, source: { kind: 'file' as const, path: '/d.pdf', name: 'd.pdf' } }

function parts(publish: (records: readonly OutRecord[]) => Promise<void>) {
  const heard: string[] = []
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  const tracer: Tracer = {
    ...noTracer,
    start: (name) => ({ ...noTracer.start(name), traceparent, fail: ({ code }) => heard.push(code), end: () => heard.push(`${name} ended`) }),
  }
  const bus = { publish, subscribe: () => Promise.reject(new Error('not asked')), wanted: () => true, close: async () => {} }
  return { heard, traceparent, parts: { bus, tracer } }
}

it('carries the trace that begins with it and the run that asked for it', async () => {
  const sent: OutRecord[] = []
  const { heard, traceparent, parts: own } = parts(async (records) => void sent.push(...records))
  await sendDocument(own, payload as never, 'archive')
  expect(sent).toEqual([{ topic: 'documents', key: 'd', payload, run: 'archive', traceparent }])
  expect(heard).toEqual(['send documents ended'])
})

it('ends its span with the failure when the bus does not take it', async () => {
  const { heard, parts: own } = parts(() => Promise.reject(new PagestreamError('kafka-unreachable', 'away')))
  await expect(sendDocument(own, payload as never)).rejects.toMatchObject({ code: 'kafka-unreachable' })
  expect(heard).toEqual(['kafka-unreachable', 'send documents ended'])
})
