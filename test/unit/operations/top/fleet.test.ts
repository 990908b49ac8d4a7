import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { fleetLines } from '../../../../src/cli/fleet-table.ts'
import { type Fleet, fleetOf } from '../../../../src/operations/top/fleet.ts'
import { scrapeAll } from '../../../../src/operations/top/scrape.ts'
import { tryPort } from '../../../../src/runtime/processes/free-port.ts'
import { Counters } from '../../../../src/telemetry/counters.ts'
import { HealthServer } from '../../../../src/telemetry/health-server.ts'
import type { StageView, WorkerView } from '../../../../src/telemetry/worker-view.ts'

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]()
})

const stage = (more: Partial<StageView> = {}): StageView => ({
  ...{ stage: 'layout', lane: 'live', state: 'open', partitions: [0], isPaused: false, pagesInFlight: 5, bytesHeld: 0 },
  ...{ window: { openPages: 0, oldestMs: undefined, waiting: 0, running: 0 }, lagRecords: 9, lagSeconds: 1.5, stalledMs: 0, ...more },
})

/** A worker's own server, and what it counts. */
async function worker(...stages: StageView[]) {
  const counters = new Counters()
  const lane = { lane: 'live' as const, counters, loopLagSeconds: { p50: 0, p99: 0, max: 0 }, sending: { records: 0, bytes: 0 } }
  const view: WorkerView = { phase: 'running', stages, lanes: [lane], notice: undefined, engineRestarts: 0, stallMs: 1000 }
  const port = await tryPort('127.0.0.1', 0)
  const server = await HealthServer.listen('127.0.0.1', port, () => view)
  open.push(server)
  return { address: `http://127.0.0.1:${port}`, counters, stop: () => server[Symbol.asyncDispose]() }
}

async function other(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const row = ({ stages }: Fleet, name = 'layout') => stages.find((each) => each.stage === name)

describe('a set of workers', () => {
  it('is added up by stage and lane: counts and lag in records summed, lag in seconds that of the oldest, states counted', async () => {
    const [one, two] = [await worker(stage()), await worker(stage({ state: 'stopped', lagSeconds: 40, lagRecords: 1 }), stage({ stage: 'assemble' }))]
    one.counters.stages.layout.pagesOk = 7
    two.counters.stages.layout.pagesFailed = 2
    two.counters.documents.partial = 3
    Object.assign(one.counters.vlm, { slots: 8, slotsUsed: 5, waiting: 2 })
    Object.assign(two.counters.vlm, { slots: 4, slotsUsed: 4 })
    const { fleet } = fleetOf(await scrapeAll([one.address, two.address], 5_000), new Date(0))
    expect(row(fleet)).toMatchObject({
      ...{ workers: 2, states: { open: 1, waiting: 0, stopped: 1 }, pages: { ok: 7, failed: 2 }, pagesInFlight: 10, lagRecords: 10, lagSeconds: 40 },
      windowFill: null,
    })
    expect(row(fleet, 'assemble')).toMatchObject({ workers: 1, states: { open: 1 } })
    expect(fleet.lanes).toMatchObject([{ lane: 'live', slots: { all: 12, used: 9, free: 3 }, waiting: 2 }])
    expect(fleet.total).toMatchObject({ documents: 3 })
    expect(fleet.workers).toMatchObject([{ state: 'up' }, { state: 'up' }])
    const lines = fleetLines(fleet)
    expect(lines[0]).toMatch(/^00:00:00 {2}2 of 2 workers/)
    expect(lines.find((line) => line.startsWith('layout'))).toMatch(/^layout +live +2 +1 stopped, 1 open +[\d.]+ +10 +– +10 +40\.0 +2$/)
  })

  it('tells how full windows were since the last look, and all there were after a worker went away', async () => {
    const [one, two] = [await worker(stage()), await worker(stage())]
    const look = async (before?: ReturnType<typeof fleetOf>) => fleetOf(await scrapeAll([one.address, two.address], 5_000), new Date(), before)
    for (const { counters } of [one, two]) counters.stages.layout.windowFill.observe(0.2)
    const first = await look()
    expect(row(first.fleet)?.windowFill).toBeCloseTo(0.2)
    one.counters.stages.layout.windowFill.observe(1)
    const second = await look(first)
    expect(row(second.fleet)?.windowFill).toBeCloseTo(1)
    await two.stop()
    const third = await look(second)
    expect(third.fleet.workers).toMatchObject([{ state: 'up' }, { state: 'away', reason: expect.stringMatching(/./) }])
    expect(row(third.fleet)).toMatchObject({ workers: 1, windowFill: 0.6 })
    expect(fleetLines(third.fleet)[0]).toContain('1 of 2 workers')
  })

  it('shows what is no worker, hangs, fails, sends what is no text of metrics or never ends as away, and goes on', async () => {
    const good = await worker(stage())
    const addresses = [
      good.address,
      await other((_, answer) => answer.end('other_metric 1\n')),
      await other(() => {}),
      await other((_, answer) => answer.writeHead(503).end()),
      await other((_, answer) => answer.end('<html>')),
      await other((_, answer) => answer.writeHead(302, { location: good.address }).end()),
      await other(function endless(_, answer) {
        const more = () => {
          while (!answer.destroyed && answer.write('a'.repeat(100_000)));
        }
        answer.on('drain', more)
        more()
      }),
      `http://127.0.0.1:${await tryPort('127.0.0.1', 0)}`,
    ]
    const { fleet } = fleetOf(await scrapeAll(addresses, 1_000), new Date())
    expect(fleet.workers.map(({ reason }) => reason)).toEqual([
      ...[undefined, 'is no worker', 'does not answer in time', 'answers 503', 'tells no metrics that can be read', 'cannot be reached'],
      ...['tells no metrics that can be read', 'nobody listens there'],
    ])
    expect(row(fleet)?.workers).toBe(1)
  })
})
