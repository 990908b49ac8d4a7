import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { type Config, configSchema } from '../../src/config/config.ts'
import { KafkaBus } from '../../src/consumers/kafka/kafka-bus.ts'
import { kafkaClient } from '../../src/consumers/kafka/kafka-client.ts'
import { TopicAdmin } from '../../src/consumers/kafka/topic-admin.ts'
import { kafkaTopic } from '../../src/consumers/kafka/topic-names.ts'
import { Submitter } from '../../src/inputs/submitter.ts'
import { parse } from '../../src/parse/parse.ts'
import type { DeadLetter } from '../../src/schema/events.ts'
import { stageNames } from '../../src/schema/stage.ts'
import type { TopicName } from '../../src/schema/topics.ts'
import { openStore } from '../../src/store/open-store.ts'
import { outputPrefix, Worker } from '../../src/worker/worker.ts'
import { eventually } from '../support/bus-contract.ts'
import { describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { show, tinyPdf } from '../support/tiny-pdf.ts'

const text = (word: string) => Array.from({ length: 12 }, (_, i) => show(`${word} ${i + 1} goes on and on to the end of its line`, 72, 720 - 16 * i)).join('')
const document = (pages: number, word = 'Page') => tinyPdf(Array.from({ length: pages }, (_, i) => ({ content: text(`${word} ${i + 1}, line`) })))

interface Heard {
  readonly topic: TopicName
  readonly key: string
  readonly payload: unknown
}

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]()
})

/** A worker with all stages, a listener of all that leaves the chain, and a way in. */
async function cluster(more: Record<string, unknown> = {}) {
  const folder = await tempFolder()
  const config: Config = configSchema.parse({ kafka: testKafkaConfig(), store: { url: pathToFileURL(join(folder, 'store')).href }, ocr: 'never', ...more })
  await using admin = await TopicAdmin.connect(config.kafka)
  await admin.apply()
  const bus = await KafkaBus.connect(config.kafka, 'live')
  open.push({ [Symbol.asyncDispose]: () => bus.close() })
  const heard: Heard[] = []
  const subscription = { group: 'listener', topics: ['blocks', 'documents.assembled', 'chunks', 'dead-letter'] as const }
  const fatal = (error: Error) => {
    throw error
  }
  await bus.subscribe(subscription, { records: ({ records }) => heard.push(...records), assigned: () => {}, revoked: () => {}, fatal })
  const worker = new Worker({ config, stages: new Set(stageNames), lanes: ['live'], onFatal: fatal })
  open.push(worker)
  await worker.start()
  const submitter = new Submitter(config, await openStore(config.store), bus)
  const of = (topic: TopicName) => heard.filter((each) => each.topic === topic)
  return { folder, config, submitter, of, store: await openStore(config.store) }
}

describeKafka('the chain over a real broker', () => {
  it('writes the same bytes as in one process', async () => {
    const { folder, config, submitter, of, store } = await cluster()
    const path = join(folder, 'report.pdf')
    await writeFile(path, document(5))
    const submitted = await submitter.identify(path, 'report.pdf')
    await submitter.send(submitted)
    await eventually(() => expect(of('documents.assembled')).toHaveLength(1), 60_000)
    expect(of('documents.assembled')[0]?.payload).toMatchObject({ status: 'complete', pages: 5 })
    const out = await tempFolder()
    const { kafka: _, store: __, ...alone } = config
    for await (const event of parse(path, { out, config: alone })) {
      if (event.type !== 'document') continue
      for (const name of event.outputs) {
        const shared = Buffer.from(await store.get(`${outputPrefix(submitted.documentId, submitted.revision)}/${name}`)).toString()
        expect(shared).toBe(await readFile(join(event.folder, name), 'utf8'))
      }
    }
    await eventually(() => expect(of('blocks').length).toBeGreaterThanOrEqual(5))
  })

  it('answers a document that is submitted again from the store, and sends its chunks once', async () => {
    const { folder, submitter, of, store } = await cluster()
    const path = join(folder, 'twice.pdf')
    await writeFile(path, document(3))
    const submitted = await submitter.identify(path, 'twice.pdf')
    await submitter.send(submitted)
    await eventually(() => expect(of('documents.assembled')).toHaveLength(1), 60_000)
    const written = await store.get(`${outputPrefix(submitted.documentId, submitted.revision)}/chunks.jsonl`)
    const chunks = Buffer.from(written).toString().trim().split('\n').length
    await eventually(() => expect(of('chunks')).toHaveLength(chunks))
    await submitter.send(submitted)
    await eventually(() => expect(of('documents.assembled')).toHaveLength(2), 60_000)
    const [first, second] = of('documents.assembled')
    expect(second?.payload).toEqual(first?.payload)
    expect(of('chunks')).toHaveLength(chunks)
  })

  it('takes back the chunks that a changed document no longer has', async () => {
    const { folder, submitter, of } = await cluster()
    const path = join(folder, 'changing.pdf')
    const submit = async (bytes: Uint8Array) => {
      await writeFile(path, bytes)
      const submitted = await submitter.identify(path, 'changing.pdf')
      await submitter.send({ ...submitted, documentId: 'the-caller-names-it' })
    }
    await submit(document(2, 'Old'))
    await eventually(() => expect(of('documents.assembled')).toHaveLength(1), 60_000)
    await submit(document(2, 'New'))
    await eventually(() => expect(of('documents.assembled')).toHaveLength(2), 60_000)
    const state = new Map<string, unknown>()
    await eventually(() => {
      for (const { key, payload } of of('chunks')) state.set(key, payload)
      const left = [...state.values()].filter((payload) => payload !== null) as { text: string }[]
      expect(left.map((chunk) => chunk.text).join(' ')).toContain('New 1')
      expect(left.map((chunk) => chunk.text).join(' ')).not.toContain('Old 1')
    })
  })

  it('puts what is no event of the topic among the dead letters, whole, and goes on behind it', async () => {
    const { folder, config, submitter, of } = await cluster()
    const producer = kafkaClient(config.kafka).producer()
    await producer.connect()
    const topic = kafkaTopic(config.kafka.topicPrefix, 'documents', 'live')
    const messages = [
      { key: 'a', value: 'not json', headers: { own: 'header' } },
      { key: 'b', value: '{"documentId":7}' },
      { key: 'c', value: null },
      { key: 'd', value: '{}', headers: { ce_type: 'pagestream.documents.v9' } },
    ]
    await producer.send({ topic, messages: messages.map((message) => ({ ...message, partition: 0 })) })
    await producer.disconnect()
    const path = join(folder, 'good.pdf')
    await writeFile(path, document(1))
    await submitter.send(await submitter.identify(path, 'good.pdf'))
    await eventually(() => expect(of('documents.assembled')).toHaveLength(1), 60_000)
    await eventually(() => expect(of('dead-letter')).toHaveLength(4))
    const letters = of('dead-letter').map(({ payload }) => payload as DeadLetter)
    expect(letters.map(({ failure }) => failure.code).sort()).toEqual(['message-invalid', 'message-invalid', 'message-not-json', 'message-version'])
    const whole = letters.find(({ failure }) => failure.code === 'message-not-json')?.original
    expect(Buffer.from(whole?.value ?? '', 'base64').toString()).toBe('not json')
    expect(whole).toMatchObject({ topic, partition: 0, headers: [['own', Buffer.from('header').toString('base64')]] })
  })

  it('ends a document that lies where nobody may look, with the reason', async () => {
    const { folder, submitter, of } = await cluster()
    const path = join(folder, 'secret.pdf')
    await writeFile(path, document(1))
    const submitted = await submitter.identify(path, 'secret.pdf')
    await submitter.send({ ...submitted, source: { ...submitted.source, path } })
    await eventually(() => expect(of('documents.assembled')).toHaveLength(1), 60_000)
    expect(of('documents.assembled')[0]?.payload).toMatchObject({ status: 'failed', failure: { class: 'input', code: 'input-forbidden' } })
  })
})
