import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/config/package-root.ts'
import type { Fleet } from '../../src/operations/top/fleet.ts'
import { tryPort } from '../../src/runtime/processes/free-port.ts'
import { stageNames } from '../../src/schema/stage.ts'
import { workerStatusSchema } from '../../src/schema/worker-status.ts'
import { workerMetrics } from '../../src/telemetry/metrics/worker-metrics.ts'
import { eventually } from '../support/bus-contract.ts'
import { commandLine } from '../support/kafka/command-line.ts'
import { testChain, textDocument } from '../support/kafka/test-chain.ts'
import { describeKafka } from '../support/kafka/test-kafka.ts'
import { parsePrometheusText } from '../support/prometheus-text.ts'

const run = promisify(execFile)

/** What `pagestream top` says of these workers. */
async function topOf(workers: string): Promise<Fleet> {
  const { stdout } = await run(process.execPath, [join(packageRoot(), 'dist/bundle/cli.js'), 'top', '--workers', workers, '--once', '--json'])
  return JSON.parse(stdout) as Fleet
}

describeKafka('a worker process that is watched', () => {
  it('answers probes and scrapes with what it has done, and its port is its own', async () => {
    const chain = await testChain()
    const file = join(chain.folder, 'config.json')
    const { kafka, store, ocr } = chain.config
    await writeFile(file, JSON.stringify({ kafka, store, ocr }))
    const port = await tryPort('127.0.0.1', 0)
    const worker = () => commandLine(file)('worker', '--stage', 'all', '--lane', 'live', '--port', `${port}`)
    const { child, said, done } = worker()
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    await eventually(() => expect(said.errors).toContain('ready:'), 60_000)
    for (const path of ['/live', '/ready', '/startup']) expect((await get(path)).status, path).toBe(200)

    const path = join(chain.folder, 'read.pdf')
    await writeFile(path, textDocument(3))
    await chain.submitter.send(await chain.submitter.identify(path, 'read.pdf'))
    await eventually(() => expect(chain.of('documents.assembled').length).toBeGreaterThan(0), 60_000)
    const found = parsePrometheusText(await (await get('/metrics')).text())
    expect([...found.keys()].sort()).toEqual(workerMetrics.map(({ name }) => name).sort())
    const sum = (name: string, some: Readonly<Record<string, string>>) =>
      (found.get(name)?.samples ?? [])
        .filter(({ labels }) => Object.entries(some).every(([key, value]) => labels[key] === value))
        .reduce((total, { value }) => total + value, 0)
    for (const stage of ['page-render', 'text-finder', 'layout', 'region-recognition']) {
      expect(sum('pagestream_pages_total', { stage, outcome: 'ok' }), stage).toBeGreaterThanOrEqual(3)
      expect(
        found.get('pagestream_window_pages')?.samples.find(({ name, labels }) => name.endsWith('_sum') && labels.stage === stage)?.value,
        stage,
      ).toBeGreaterThanOrEqual(3)
    }
    expect(sum('pagestream_documents_total', { status: 'complete' })).toBeGreaterThanOrEqual(1)
    expect(sum('pagestream_blocks_total', {})).toBeGreaterThanOrEqual(3)
    expect(sum('pagestream_partitions', { stage: 'layout' })).toBe(kafka.partitions)
    expect(sum('pagestream_rebalances_total', { stage: 'layout' })).toBeGreaterThanOrEqual(1)
    expect(sum('pagestream_dead_letters_total', {})).toBe(0)
    expect(sum('pagestream_up', {})).toBe(1)
    const status = workerStatusSchema.parse(await (await get('/status')).json())
    expect(status).toMatchObject({ phase: 'running', stages: { length: 5 }, lastError: null })
    expect(status.stages.every(({ partitions, pages }) => partitions.length === kafka.partitions && pages.failed === 0)).toBe(true)

    const top = await topOf(`127.0.0.1:${port},127.0.0.1:1`)
    expect(top.workers).toMatchObject([{ state: 'up' }, { state: 'away' }])
    expect(top.stages.map(({ stage, states }) => [stage, states.open])).toEqual(stageNames.map((stage) => [stage, 1]))
    expect(top.stages.find(({ stage }) => stage === 'region-recognition')?.pages).toEqual({
      ok: sum('pagestream_pages_total', { stage: 'region-recognition', outcome: 'ok' }),
      failed: 0,
    })
    expect(top.total).toMatchObject({ documents: sum('pagestream_documents_total', {}), deadLetters: 0 })

    const second = await worker().done
    expect(second.code).toBe(2)
    expect(second.errors).toMatch(/port-unavailable: listening on 127\.0\.0\.1:\d+: another process listens there\n.*--port/)

    child.kill('SIGTERM')
    expect((await done).code).toBe(0)
    await expect(get('/live')).rejects.toThrow()
  })
})
