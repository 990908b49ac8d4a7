import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BackfillRecord } from '../../src/backfill/backfill-record.ts'
import type { Config } from '../../src/config/config.ts'
import { surroundingEnvironment } from '../../src/config/places.ts'
import { readTopic } from '../../src/consumers/kafka/topic-reader.ts'
import { type Broker, type Cluster, startCluster } from '../../src/demo/kafka/cluster.ts'
import { type StageName, stageNames } from '../../src/schema/stage.ts'
import { openStore } from '../../src/store/open-store.ts'
import { outputPrefix } from '../../src/worker/output-prefix.ts'
import { commandLine, configFile, lastLine } from '../support/kafka/command-line.ts'
import { describeOwnBroker } from '../support/kafka/own-broker.ts'
import { type Archive, writeArchive } from './archive.ts'
import { Fleet } from './fleet.ts'

const documents = Number(process.env.ARCHIVE_DOCUMENTS ?? 1000)
const sessionMs = 6000
const pollMs = 300
const checkpointEntries = 50
const fleetOf: readonly (readonly StageName[])[] = [['page-render', 'text-finder'], ['layout', 'region-recognition'], ['assemble'], stageNames]

/** The command line; of what it says, the last line. */
function commands(file: string) {
  const pagestream = commandLine(file)
  const start = (...args: string[]) => {
    const { child, done } = pagestream(...args, '--json')
    return { child, done: done.then(({ out, ...rest }) => ({ ...rest, last: lastLine(out) })) }
  }
  return { start, run: (...args: string[]) => start(...args).done }
}

describeOwnBroker('an archive that is read under faults', (libs) => {
  let folder: string
  let cluster: Cluster
  let broker: Broker
  let config: Config
  let archive: Archive
  let fleet: Fleet
  let cli: ReturnType<typeof commands>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pagestream-archive-'))
    archive = await writeArchive(join(folder, 'archive'), documents)
    cluster = await startCluster(libs)
    const [first] = cluster.brokers
    if (!first) throw new Error('the cluster has no broker')
    broker = first
    const kafka = { brokers: [broker.address], topicPrefix: 'archive', groupPrefix: 'archive', partitions: 4, sessionTimeoutMs: sessionMs, maxWaitMs: 200 }
    const keys = { kafka: { ...kafka, heartbeatIntervalMs: 500 }, ocr: 'never', workers: 1, backfill: { pollMs, checkpointEntries } }
    const { file, ...made } = await configFile(folder, keys)
    config = made.config
    cli = commands(file)
    fleet = new Fleet(surroundingEnvironment(), { errorRate: 0, latencyMs: 0 }, 'bulk', ['--config', file])
    for (const stages of fleetOf) fleet.start(stages)
  })

  afterAll(async () => {
    await fleet?.close()
    await cluster?.close()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  it('ends every document once, with two workers and the backfill killed and the broker away on the way', async () => {
    const store = await openStore(config.store)
    const record = new BackfillRecord(store, 'archive')
    const share = async (part: number) => {
      for (;;) {
        const { ended } = await record.checkpoint()
        if (ended.complete + ended.partial + ended.failed >= part * documents) return
        await sleep(50)
      }
    }
    const plan = await cli.run('backfill', 'plan', archive.folder, '--sample', '20')
    expect(plan.last).toMatchObject({ entries: archive.entries - archive.leftOut, leftOut: archive.leftOut, sampled: 20 })

    const killed = cli.start('backfill', 'run', archive.folder, '--run', 'archive')
    for (const [part, pick] of [
      [0.1, 0],
      [0.2, 0.5],
    ] as const) {
      await share(part)
      fleet.kill(pick, 1000)
    }
    await share(0.35)
    await broker.stop()
    await sleep(6000)
    await broker.start()
    await share(0.5)
    killed.child.kill('SIGKILL')
    await killed.done
    expect((await cli.run('status', '--run', 'archive')).last).toMatchObject({ run: 'archive' })
    await sleep(11 * pollMs)
    const { last: end, errors, code } = await cli.run('backfill', 'resume', 'archive')

    expect(errors).not.toContain('pagestream:')
    expect(end).toMatchObject({ state: 'done', entries: archive.entries, total: archive.entries, sent: archive.complete + archive.failed, inFlight: 0 })
    expect(end).toMatchObject({ leftOut: archive.leftOut, passedOver: 0, lost: 0, refused: {}, pages: archive.pages, failedPages: 0 })
    expect(end).toMatchObject({ ended: { complete: archive.complete, partial: 0, failed: archive.failed }, failures: { input: archive.failed } })
    expect(code).toBe(1) // some failed
    const [one, other] = [await cli.run('backfill', 'status', 'archive'), await cli.run('status', '--run', 'archive')]
    expect(one.last).toEqual(other.last)
    expect(one.last).toMatchObject({ state: 'done', ended: end.ended })
    expect((await cli.run('status', '--limit', '0')).last).toMatchObject({ complete: archive.complete, unfinished: archive.failed, underWay: 0 })
    const problems: string[] = []
    for await (const { what, name } of record.problems()) problems.push(`${what} ${name}`)
    expect(problems.sort()).toEqual(Array.from({ length: archive.failed }, (_, i) => `failed ${i}/broken-${i}.pdf`))
    await expectOnTopics(config, archive)
  }, 290_000)

  /** Each document has one end on the topic, and readers have the chunks that lie in the store, each under the run. */
  async function expectOnTopics(of: Config, { complete, failed }: Archive): Promise<void> {
    const store = await openStore(of.store)
    const from = { from: 'earliest', until: 'end' } as const
    const ends = new Map<string, Set<string>>()
    const places = new Map<string, string>()
    for await (const { payload, id, run } of readTopic(of.kafka, { topic: 'documents.assembled', ...from })) {
      expect(run).toBe('archive')
      if (!payload || !('outputs' in payload)) throw new Error('an event of another kind')
      ends.set(payload.documentId, (ends.get(payload.documentId) ?? new Set()).add(`${id} ${payload.status}`))
      if (payload.status === 'complete') places.set(payload.documentId, outputPrefix(payload.documentId, payload.revision))
    }
    expect(ends.size).toBe(complete + failed)
    expect([...ends.values()].every((each) => each.size === 1)).toBe(true)
    const letters = new Set<string>()
    for await (const { payload, run } of readTopic(of.kafka, { topic: 'dead-letter', ...from })) {
      expect(run).toBe('archive')
      if (payload && 'failure' in payload && 'documentId' in payload) letters.add(payload.documentId)
    }
    expect(letters.size).toBe(failed)
    const chunks = new Set<string>()
    for await (const { key, run } of readTopic(of.kafka, { topic: 'chunks', ...from })) {
      expect(run).toBe('archive')
      chunks.add(key)
    }
    const written = new Set<string>()
    for (const prefix of places.values()) {
      const lines = Buffer.from(await store.get(`${prefix}/chunks.jsonl`))
        .toString('utf8')
        .trim()
        .split('\n')
      for (const line of lines) written.add((JSON.parse(line) as { id: string }).id)
    }
    expect(chunks).toEqual(written)
  }
})
