import { join } from 'node:path'
import { expect, it } from 'vitest'
import { eventually } from '../support/bus-contract.ts'
import { commandLine } from '../support/kafka/command-line.ts'
import { modelChain, startStub } from '../support/kafka/model-chain.ts'
import { describeKafka } from '../support/kafka/test-kafka.ts'
import { attribute, type CollectedSpan, otlpCollector } from '../support/otlp-collector.ts'

const environment = (url: string, protocol: string) => ({
  ...{ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: protocol, OTEL_BSP_SCHEDULE_DELAY: '200' },
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
})

/** Reads three pages with a model in a worker that is traced, from the command that submits them to the end of the worker. */
async function readTraced(url: string, protocol: string) {
  const stub = await startStub('mineru2.5')
  const chain = await modelChain('mineru2.5', stub.url)
  const cli = commandLine(join(chain.folder, 'config.json'), environment(url, protocol))
  const worker = cli('worker', '--stage', 'all', '--lane', 'live')
  await eventually(() => expect(worker.said.errors).toContain('ready:'), 60_000)
  await chain.save(chain.folder, 0, 3)
  const submitted = await cli('submit', join(chain.folder, 'scan-0.pdf'), '--wait').done
  expect(submitted.code, submitted.errors).toBe(0)
  worker.child.kill('SIGTERM')
  const ended = await worker.done
  expect(ended.code, ended.errors).toBe(0)
}

const named = (spans: readonly CollectedSpan[], name: string) => spans.filter((span) => span.name === name)

describeKafka('a chain that is traced', () => {
  it('has one trace from the submission of a document to its end, windows with links to their pages, and questions in the windows that asked', async () => {
    await using collector = await otlpCollector()
    await readTraced(collector.url, 'http/json')
    const { spans } = collector
    const [sent] = named(spans, 'send documents')
    if (!sent) throw new Error('the submission is not traced')

    const chain = ['documents', 'pages.rendered', 'pages.gated', 'pages.layout', 'pages.recognized'].map((topic) => named(spans, `process ${topic}`))
    for (const pages of chain) {
      expect(pages.map((page) => attribute(page, 'pagestream.page.index')).sort()).toEqual(
        ['0', '1', '2'].map((index) => expect.toSatisfy((value) => String(value) === index)),
      )
      for (const { traceId } of pages) expect(traceId).toBe(sent.traceId)
    }
    let above = new Set([sent.spanId])
    for (const pages of chain) {
      for (const { parentSpanId } of pages) expect(above).toContain(parentSpanId)
      above = new Set(pages.map(({ spanId }) => spanId))
    }

    const windows = spans.filter(({ name }) => name.startsWith('window '))
    const pageSpans = new Set(chain.flat().map(({ spanId }) => spanId))
    const linked = windows.flatMap(({ links = [] }) => links.map(({ spanId }) => spanId))
    expect(new Set(linked)).toEqual(pageSpans)
    for (const { links = [], traceId } of windows) {
      expect(links.length).toBeGreaterThan(0)
      expect(traceId).not.toBe(sent.traceId)
    }

    const works = new Map(named(spans, 'work').map((work) => [work.spanId, work]))
    // The picture that the model is tried with at the start belongs to no window.
    const asked = spans.filter(({ name, startTimeUnixNano }) => name.startsWith('chat ') && BigInt(startTimeUnixNano) > BigInt(sent.startTimeUnixNano))
    expect(asked.length).toBeGreaterThanOrEqual(3 * 5)
    for (const question of asked) {
      expect(works.get(question.parentSpanId ?? ''), question.name).toBeDefined()
      expect(attribute(question, 'gen_ai.request.model')).toBe('stub-model')
      expect(Number(attribute(question, 'gen_ai.usage.output_tokens'))).toBeGreaterThan(0)
    }
    for (const span of spans) expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
    const told = JSON.stringify(spans)
    for (const written of ['Heading of page', 'paragraph', 'first edition']) expect(told).not.toContain(written)
  })

  it('tells them as protocol buffers where nothing else is asked for', async () => {
    await using collector = await otlpCollector()
    await readTraced(collector.url, 'http/protobuf')
    expect(collector.spans).toEqual([])
    expect(collector.others.length).toBeGreaterThan(0)
    for (const { path, type, bytes } of collector.others) expect([path, type, bytes > 100]).toEqual(['/v1/traces', 'application/x-protobuf', true])
  })

  it('goes on, and ends in time, where no collector answers', async () => {
    await readTraced('http://127.0.0.1:9', 'http/json')
  })
})
