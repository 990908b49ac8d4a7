import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach } from 'vitest'
import { type Config, configSchema } from '../../../src/config/config.ts'
import { KafkaBus } from '../../../src/consumers/kafka/kafka-bus.ts'
import { TopicAdmin } from '../../../src/consumers/kafka/topic-admin.ts'
import { Submitter } from '../../../src/inputs/submitter.ts'
import { stageNames } from '../../../src/schema/stage.ts'
import type { TopicName } from '../../../src/schema/topics.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { Worker } from '../../../src/worker/worker.ts'
import { tempFolder } from '../temp-folder.ts'
import { show, tinyPdf } from '../tiny-pdf.ts'
import { testKafkaConfig } from './test-kafka.ts'

const text = (word: string) => Array.from({ length: 12 }, (_, i) => show(`${word} ${i + 1} goes on and on to the end of its line`, 72, 720 - 16 * i)).join('')

/** A PDF of so many pages of text that is trusted. */
export const textDocument = (pages: number, word = 'Page'): Uint8Array =>
  tinyPdf(Array.from({ length: pages }, (_, i) => ({ content: text(`${word} ${i + 1}, line`) })))

interface Heard {
  readonly topic: TopicName
  readonly key: string
  readonly payload: unknown
  readonly run?: string
  readonly traceparent?: string
}

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]()
})

const fatal = (error: Error): never => {
  throw error
}

/** Topics and a store (a folder unless `more` names one) of a test's own, a listener of all that leaves the chain, and a way in. Nobody works yet. */
export async function testChain(more: Record<string, unknown> = {}) {
  const folder = await tempFolder()
  const config: Config = configSchema.parse({ kafka: testKafkaConfig(), store: { url: pathToFileURL(join(folder, 'store')).href }, ocr: 'never', ...more })
  await using admin = await TopicAdmin.connect(config.kafka)
  await admin.apply()
  const bus = await KafkaBus.connect(config.kafka, 'live')
  open.push({ [Symbol.asyncDispose]: () => bus.close() })
  const heard: Heard[] = []
  const subscription = { group: 'listener', topics: ['blocks', 'documents.assembled', 'chunks', 'dead-letter'] as const }
  await bus.subscribe(subscription, { records: ({ records }) => heard.push(...records), assigned: () => {}, revoked: () => {}, fatal })
  const store = await openStore(config.store)
  /** Starts a worker with all stages in this process, until the end of the test. */
  const work = async (): Promise<Worker> => {
    const worker = new Worker({ config, stages: new Set(stageNames), lanes: ['live'], onFatal: fatal })
    open.push(worker)
    await worker.start()
    return worker
  }
  const of = (topic: TopicName) => heard.filter((each) => each.topic === topic)
  return { folder, config, store, bus, submitter: new Submitter(config, store, bus), of, work }
}
