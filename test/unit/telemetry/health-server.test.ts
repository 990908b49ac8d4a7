import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { packageVersion } from '../../../src/config/package-root.ts'
import { tryPort } from '../../../src/runtime/processes/free-port.ts'
import { workerStatusSchema } from '../../../src/schema/worker-status.ts'
import { Counters } from '../../../src/telemetry/counters.ts'
import { HealthServer } from '../../../src/telemetry/health-server.ts'
import type { MetricSpec } from '../../../src/telemetry/metrics/metric.ts'
import { runMetrics } from '../../../src/telemetry/metrics/run-metrics.ts'
import { workerMetrics } from '../../../src/telemetry/metrics/worker-metrics.ts'
import type { WorkerView } from '../../../src/telemetry/worker-view.ts'
import { parsePrometheusText } from '../../support/prometheus-text.ts'

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]()
})

const stage: WorkerView['stages'][number] = {
  stage: 'layout',
  lane: 'live',
  state: 'open',
  partitions: [0, 3],
  isPaused: false,
  window: { openPages: 3, oldestMs: 12, waiting: 1, running: 2 },
  pagesInFlight: 5,
  bytesHeld: 700,
  lagRecords: 9,
  lagSeconds: 1.5,
  stalledMs: 0,
}
const lane = (counters: Counters): WorkerView['lanes'][number] => ({
  lane: 'live',
  counters,
  loopLagSeconds: { p50: 0, p99: 0.1, max: 0.2 },
  sending: { records: 2, bytes: 300 },
})
const running: WorkerView = { phase: 'running', stages: [stage], lanes: [lane(new Counters())], notice: undefined, engineRestarts: 0, stallMs: 1000 }

async function serve(first: WorkerView = running) {
  const port = await tryPort('127.0.0.1', 0)
  let view = first
  const server = await HealthServer.listen('127.0.0.1', port, () => view)
  open.push(server)
  const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  const statuses = async () => Promise.all(['/live', '/ready', '/startup'].map(async (path) => (await get(path)).status))
  return {
    port,
    get,
    statuses,
    show: (next: Partial<WorkerView>) => {
      view = { ...view, ...next }
    },
  }
}

describe('the health server', () => {
  it('is alive and neither ready nor started while the worker starts, all three when it runs, and not ready when it stops', async () => {
    const { statuses, show } = await serve({ ...running, phase: 'starting', stages: [] })
    expect(await statuses()).toEqual([200, 503, 503])
    show(running)
    expect(await statuses()).toEqual([200, 200, 200])
    show({ phase: 'stopping' })
    expect(await statuses()).toEqual([200, 503, 200])
  })

  it('is not alive past the time that the watchdog waits, not ready when a stage has stopped, ready while one waits', async () => {
    const { statuses, show, get } = await serve()
    show({ stages: [{ ...stage, stalledMs: 1001 }] })
    expect(await statuses()).toEqual([503, 200, 200])
    expect(await (await get('/live')).text()).toContain('layout (live)')
    show({ stages: [{ ...stage, state: 'stopped' }] })
    expect(await statuses()).toEqual([200, 503, 200])
    show({ stages: [{ ...stage, state: 'waiting' }] })
    expect(await statuses()).toEqual([200, 200, 200])
    expect(await (await get('/ready')).text()).toContain('layout (live)')
  })

  it('serves every metric of the list with its type and sentence, and the values of the moment', async () => {
    const { get, show } = await serve()
    const counters = new Counters()
    counters.stages.layout.pagesOk = 7
    counters.stages.layout.windowsClosed.bytes = 2
    counters.documents.partial = 1
    show({ lanes: [lane(counters)] })
    for (let scrape = 0; scrape < 2; scrape++) {
      const answer = await get('/metrics')
      expect(answer.headers.get('content-type')).toContain('text/plain')
      const found = parsePrometheusText(await answer.text())
      expect([...found.keys()]).toEqual(workerMetrics.map(({ name }) => name))
      for (const { name, type, help } of workerMetrics) expect(found.get(name)).toMatchObject({ type, help })
      const value = (name: string, labels: Record<string, string>) => found.get(name)?.samples.filter((sample) => same(sample.labels, labels))
      expect(value('pagestream_pages_total', { stage: 'layout', lane: 'live', outcome: 'ok' })).toMatchObject([{ value: 7 }])
      expect(value('pagestream_windows_closed_total', { stage: 'layout', lane: 'live', reason: 'bytes' })).toMatchObject([{ value: 2 }])
      expect(value('pagestream_documents_total', { lane: 'live', status: 'partial' })).toMatchObject([{ value: 1 }])
      expect(value('pagestream_partitions', { stage: 'layout', lane: 'live' })).toMatchObject([{ value: 2 }])
      expect(found.get('pagestream_process_memory_bytes')?.samples.every((sample) => sample.value > 0)).toBe(true)
    }
  })

  it('tells its state as JSON, and answers nothing else', async () => {
    const { get, show } = await serve()
    show({ notice: { at: '2026-01-01T00:00:00.000Z', text: 'layout (live): takes in again' } })
    const counters = new Counters()
    counters.stages.layout.pagesOk = 7
    counters.models.push({ task: 'page-reader', model: 'm', family: 'mineru2.5', engine: 'vllm', device: 'cuda:0', loadSeconds: 3 })
    Object.assign(counters.vlm, { slots: 8, slotsAllowed: 4, slotsUsed: 3, waiting: 2, isAway: true, restarts: 1 })
    show({
      lanes: [lane(counters)],
      device: { id: 'cuda:0', name: 'H200', driver: '570' },
      engineRestarts: 2,
      lastError: { at: '2026-01-01T00:00:00.000Z', code: 'page-corrupt', text: 'it is cut off', stage: 'layout', lane: 'live' },
    })
    const status = await (await get('/status')).json()
    expect(z.strictObject(workerStatusSchema.shape).parse(status)).toEqual({
      ...{ phase: 'running', version: packageVersion(), startedAt: expect.any(String), restarts: null, engineRestarts: 3 },
      device: { id: 'cuda:0', name: 'H200', driver: '570' },
      stages: [{ ...stage, window: { openPages: 3, oldestMs: 12, waiting: 1, running: 2 }, pagesPerSecond: expect.any(Number), pages: { ok: 7, failed: 0 } }],
      lanes: [
        {
          ...{ lane: 'live', sending: { records: 2, bytes: 300 }, tokensPerSecond: { prompt: 0, output: 0 } },
          models: [{ task: 'page-reader', model: 'm', family: 'mineru2.5', engine: 'vllm', device: 'cuda:0', loadSeconds: 3 }],
          engine: { away: true, slots: 8, allowed: 4, used: 3, waiting: 2 },
        },
      ],
      lastNotice: { at: '2026-01-01T00:00:00.000Z', text: 'layout (live): takes in again' },
      lastError: { at: '2026-01-01T00:00:00.000Z', code: 'page-corrupt', text: 'it is cut off', stage: 'layout', lane: 'live' },
    })
    show({ ...running, phase: 'starting', stages: [], lanes: [], device: undefined, notice: undefined, lastError: undefined })
    expect(workerStatusSchema.parse(await (await get('/status')).json())).toMatchObject({ phase: 'starting', stages: [], device: null, lastError: null })
    expect((await get('/')).status).toBe(404)
    expect((await get('/metrics', { method: 'POST' })).status).toBe(405)
    expect((await get('/live?probe=1', { method: 'HEAD' })).status).toBe(200)
  })

  it('says port-unavailable for a port that another process has', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const address = taken.address()
    const port = typeof address === 'object' && address ? address.port : 0
    await expect(HealthServer.listen('127.0.0.1', port, () => running)).rejects.toMatchObject({ code: 'port-unavailable' })
    await new Promise((resolve) => taken.close(resolve))
  })
})

describe('the lists of metrics', () => {
  it.each([workerMetrics, runMetrics])(
    'names units and totals as Prometheus wants it, and in OpenMetrics no two alike',
    (...metrics: readonly MetricSpec[]) => {
      for (const { name, type, unit } of metrics) {
        expect(name.endsWith('_total'), name).toBe(type === 'counter')
        if (unit === 'seconds' || unit === 'bytes') expect(name).toContain(`_${unit}`)
      }
      expect(new Set(metrics.map(({ name }) => name.replace(/_total$/, ''))).size).toBe(metrics.length)
    },
  )
})

const same = (labels: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>) =>
  JSON.stringify(Object.entries(labels).sort()) === JSON.stringify(Object.entries(wanted).sort())
