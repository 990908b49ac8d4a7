import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Config, configSchema } from '../../src/config/config.ts'
import { KafkaBus } from '../../src/consumers/kafka/kafka-bus.ts'
import { kafkaClient } from '../../src/consumers/kafka/kafka-client.ts'
import { TopicAdmin } from '../../src/consumers/kafka/topic-admin.ts'
import { kafkaTopic } from '../../src/consumers/kafka/topic-names.ts'
import { Submitter } from '../../src/inputs/submitter.ts'
import { stageNames } from '../../src/schema/stage.ts'
import { openStore } from '../../src/store/open-store.ts'
import { Worker } from '../../src/worker/worker.ts'
import { brokers, describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { show, tinyPdf } from '../support/tiny-pdf.ts'

interface Passage {
  readonly documentId: string
  readonly text: string
  readonly citations: readonly { readonly pageNumber: number; readonly box: readonly number[] }[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const example = (name: string) => import(pathToFileURL(join(root, 'examples/rag-sink', name)).href)

const page = (...lines: string[]) => ({ content: lines.map((line, i) => show(line, 72, 720 - 16 * i)).join('') })
const valves = 'The intake valve closes when the pressure of the tank falls'
const pumps = 'Pumps of the harbour are greased with tallow every winter'
const report = (second: string) =>
  tinyPdf([page(valves, 'and opens again as soon as the tank is full of water.'), page(second, 'by people who know them well.')])

/** The JavaScript block of README.md, as it stands there. */
async function consumerOfReadme(): Promise<string> {
  const found = /```js\n([\s\S]*?)```/.exec(await readFile(join(root, 'README.md'), 'utf8'))
  if (!found?.[1]) throw new Error('README.md has no consumer')
  return found[1]
}

describeKafka('consuming what leaves the chain', () => {
  const open: AsyncDisposable[] = []
  let config: Config
  let submit: (bytes: Uint8Array) => Promise<void>

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pagestream-test-'))
    open.push({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) })
    config = configSchema.parse({ kafka: testKafkaConfig(), store: { url: pathToFileURL(join(folder, 'store')).href }, ocr: 'never' })
    await using admin = await TopicAdmin.connect(config.kafka)
    await admin.apply()
    const bus = await KafkaBus.connect(config.kafka, 'live')
    open.push({ [Symbol.asyncDispose]: () => bus.close() })
    const onFatal = (error: Error) => {
      throw error
    }
    const worker = new Worker({ config, stages: new Set(stageNames), lanes: ['live'], onFatal })
    open.push(worker)
    await worker.start()
    const submitter = new Submitter(config, await openStore(config.store), bus)
    submit = async (bytes) => {
      const path = join(folder, 'report.pdf')
      await writeFile(path, bytes)
      await submitter.send({ ...(await submitter.identify(path, 'report.pdf')), documentId: 'report' })
    }
    await submit(report(pumps))
  })
  afterAll(async () => {
    for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]()
  })

  it('takes at most 30 lines of kafkajs, which run as they stand in the README', async () => {
    const code = await consumerOfReadme()
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(30)
    await mkdir(join(root, '.cache'), { recursive: true })
    const folder = await mkdtemp(join(root, '.cache', 'consumer-'))
    await writeFile(join(folder, 'consumer.mjs'), code)
    const env = { ...process.env, KAFKA_BROKERS: brokers.join(','), TOPIC_PREFIX: config.kafka.topicPrefix, GROUP: `${config.kafka.groupPrefix}.readme` }
    const child = spawn(process.execPath, ['consumer.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      let printed = ''
      child.stdout.on('data', (bytes: Buffer) => {
        printed += bytes.toString()
      })
      await vi.waitFor(() => expect(printed).toMatch(/report, page 1: The intake valve closes/), { timeout: 60_000, interval: 100 })
      expect(await stopped(child)).toBe(0)
    } finally {
      child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('fills a table of Postgres that answers with page and box, and forgets what a changed document no longer says', async () => {
    const [{ prepare, sink, write }, { ask, print }] = await Promise.all([example('sink.mjs'), example('ask.mjs')])
    await using db = await PGlite.create()
    await prepare(db)
    await prepare(db)
    const topic = kafkaTopic(config.kafka.topicPrefix, 'chunks', 'live')
    const groupId = `${config.kafka.groupPrefix}.rag`
    const consumer = kafkaClient(config.kafka).consumer({ groupId, maxWaitTimeInMs: 200 })
    await consumer.connect()
    try {
      await sink({ consumer, db, topic })
      const asked = async (question: string): Promise<Passage[]> => ask(db, question)
      await vi.waitFor(async () => expect((await asked('When does the intake valve close?'))[0]?.text).toContain(valves), { timeout: 60_000, interval: 100 })
      const [passage] = await asked('When does the intake valve close?')
      expect(passage?.citations[0]?.pageNumber).toBe(1)
      expect(passage?.citations[0]?.box.every((side) => side >= 0 && side <= 1)).toBe(true)
      expect(print(passage)).toMatch(/\[report, page 1, box 0\.\d{3} 0\.\d{3} 0\.\d{3} 0\.\d{3}\]/)
      await vi.waitFor(async () => expect(await asked('tallow')).toHaveLength(1), { timeout: 30_000, interval: 100 })

      await submit(report('Engines of the harbour are driven by steam'))
      await vi.waitFor(async () => expect((await asked('steam'))[0]?.text).toContain('driven by steam'), { timeout: 60_000, interval: 100 })
      await vi.waitFor(async () => expect(await asked('tallow')).toEqual([]), { timeout: 30_000, interval: 100 })
      expect((await asked('intake valve'))[0]?.text).toContain(valves)

      const rows = async () => (await db.query<{ id: string }>('select id, text, record_offset from chunks order by id')).rows
      const before = await rows()
      const stale = { id: before[0]?.id ?? '', documentId: 'report', headings: [], text: 'older', pages: [0], places: [] }
      await write(db, [{ key: Buffer.from(stale.id), value: Buffer.from(JSON.stringify(stale)), offset: '-1' }])
      expect(await rows()).toEqual(before)
    } finally {
      await consumer.disconnect()
    }
    expect(await committed(groupId, topic)).toBeGreaterThan(0)
  })

  async function committed(groupId: string, topic: string): Promise<number> {
    const admin = kafkaClient(config.kafka).admin()
    await admin.connect()
    const [found] = await admin.fetchOffsets({ groupId, topics: [topic] })
    await admin.disconnect()
    return Math.max(...(found?.partitions ?? []).map(({ offset }) => Number(offset)))
  }
})

function stopped(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code))
    child.kill('SIGTERM')
  })
}
