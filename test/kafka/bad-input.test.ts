import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { configSchema } from '../../src/config/config.ts'
import { wholeOriginal } from '../../src/consumers/chain/kept-original.ts'
import { KafkaBus } from '../../src/consumers/kafka/kafka-bus.ts'
import { TopicAdmin } from '../../src/consumers/kafka/topic-admin.ts'
import { kafkaTopic } from '../../src/consumers/kafka/topic-names.ts'
import { Submitter } from '../../src/inputs/submitter.ts'
import type { DeadLetter, DocumentAssembled, DocumentSubmitted } from '../../src/schema/events.ts'
import type { FailureCode } from '../../src/schema/failure.ts'
import { stageNames } from '../../src/schema/stage.ts'
import { openStore } from '../../src/store/open-store.ts'
import { StoreArtifacts } from '../../src/store/store-artifacts.ts'
import { Worker } from '../../src/worker/worker.ts'
import { eventually } from '../support/bus-contract.ts'
import { type RawRecord, sendRaw } from '../support/kafka/raw-records.ts'
import { brokers, describeKafka, testKafkaConfig } from '../support/kafka/test-kafka.ts'
import { show, tinyPdf } from '../support/tiny-pdf.ts'

const mebibyte = 1024 ** 2
/** What a batch adds to one record of about the largest size. */
const roomy = 1024

interface Case extends Partial<RawRecord> {
  readonly name: string
  readonly code: FailureCode
  /** Makes the value of a document that is whole but for this. */
  readonly document?: (good: DocumentSubmitted) => unknown
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const at = (path: string) => (good: DocumentSubmitted) => ({ ...good, documentId: 'elsewhere', source: { ...good.source, path } })

/** `folder` is one that documents may name, `outside` a file that they may not. */
const cases = (folder: string, outside: string): Case[] => [
  { name: 'no JSON', code: 'message-not-json', value: Buffer.from('not json'), headers: [['own', Buffer.from([0, 255, 10])]] },
  { name: 'no value', code: 'message-invalid', value: null },
  { name: 'no value, no key', code: 'message-invalid', key: null, value: null },
  { name: 'an empty value', code: 'message-not-json', value: Buffer.alloc(0) },
  { name: 'bytes that are no UTF-8', code: 'message-not-json', key: Buffer.from([0xff, 0xfe]), value: Buffer.from([0x22, 0xff, 0xc0, 0x22]) },
  { name: 'another schema', code: 'message-invalid', value: json({ documentId: 7 }) },
  { name: 'a version to come', code: 'message-version', document: (good) => good, headers: [['ce_type', Buffer.from('pagestream.documents.v2')]] },
  { name: 'the type of another topic', code: 'message-version', value: json({}), headers: [['ce_type', Buffer.alloc(mebibyte - roomy, 'x')]] },
  { name: 'JSON in 100,000 brackets', code: 'message-invalid', value: Buffer.from(`{"documentId":${'['.repeat(1e5)}${']'.repeat(1e5)}}`) },
  { name: 'JSON that never closes', code: 'message-not-json', value: Buffer.from('['.repeat(mebibyte - roomy)) },
  { name: 'a value as large as the topic takes', code: 'message-not-json', value: Buffer.alloc(mebibyte - roomy, 'x') },
  { name: 'a name of 900 kB', code: 'message-invalid', document: (good) => ({ ...good, source: { ...good.source, name: 'n'.repeat(9e5) } }) },
  { name: 'a key of 900 kB', code: 'message-not-json', key: Buffer.alloc(9e5, 'k'), value: Buffer.from('-') },
  { name: 'a header of 1 MiB', code: 'message-not-json', value: Buffer.from('-'), headers: [['own', Buffer.alloc(mebibyte - roomy, 1)]] },
  {
    name: 'a header without a value',
    code: 'message-not-json',
    value: Buffer.from('-'),
    headers: [
      ['own', null],
      ['traceparent', null],
    ],
  },
  {
    name: 'headers named like members of every object',
    code: 'message-not-json',
    value: Buffer.from('-'),
    headers: [
      ['constructor', Buffer.from('1')],
      ['__proto__', Buffer.from('2')],
      ['toString', Buffer.from('3')],
    ],
  },
  {
    name: '150,000 headers',
    code: 'message-not-json',
    value: Buffer.from('-'),
    headers: Array.from({ length: 150_000 }, (_, i) => [i.toString(36), null] as const),
  },
  { name: 'keys of prototypes', code: 'message-invalid', value: Buffer.from('{"__proto__":{"documentId":"a"},"constructor":{"prototype":{}}}') },
  {
    name: 'a trace as large as a record',
    code: 'artifact-missing',
    document: at('store:inputs/none'),
    headers: [
      ['traceparent', Buffer.alloc(9e5, '0')],
      ['pagestream-run', Buffer.alloc(1e4, 'r')],
    ],
  },
  { name: 'no reference', code: 'message-invalid', document: ({ source: _, ...good }) => good },
  { name: 'an id that leads out of the store', code: 'message-invalid', document: (good) => ({ ...good, documentId: '../../out' }) },
  { name: 'an id that no file can have', code: 'message-invalid', document: (good) => ({ ...good, documentId: 'i'.repeat(300) }) },
  { name: 'an id with half a character', code: 'message-invalid', document: (good) => ({ ...good, documentId: '\ud800' }) },
  { name: 'a revision that is a path', code: 'message-invalid', document: (good) => ({ ...good, revision: 'a/b' }) },
  { name: 'a reference to nothing', code: 'artifact-missing', document: at('store:inputs/none') },
  { name: 'a file of the folder that is not there', code: 'document-not-found', document: at(join(folder, 'none.pdf')) },
  { name: 'a key that leads out of the store', code: 'input-forbidden', document: at('store:../../etc/passwd') },
  { name: 'a file outside of the folders', code: 'input-forbidden', document: at(outside) },
  { name: 'a file outside, by dots', code: 'input-forbidden', document: at(`${folder}/../outside.pdf`) },
  { name: 'a file outside, by a link', code: 'input-forbidden', document: at(join(folder, 'link.pdf')) },
  { name: 'a file of another machine', code: 'input-forbidden', document: at('file://elsewhere/etc/passwd') },
  { name: 'a host that is not listed', code: 'input-forbidden', document: at('https://files.example.org/a.pdf') },
  { name: 'a listed host with a private address', code: 'input-forbidden', document: at('https://127.0.0.1:9/a.pdf') },
  { name: 'a bucket that is not listed', code: 'input-forbidden', document: at('s3://others/a.pdf') },
  { name: 'a scheme that is not allowed', code: 'input-forbidden', document: at('http://files.example.com/a.pdf') },
  {
    name: 'more bytes than the limit',
    code: 'document-too-large',
    document: (good) => ({ ...good, documentId: 'large', source: { ...good.source, bytes: 1e9 } }),
  },
  { name: 'another size than is there', code: 'input-changed', document: (good) => ({ ...good, documentId: 'size', source: { ...good.source, bytes: 7 } }) },
  {
    name: 'another checksum than is there',
    code: 'input-changed',
    document: (good) => ({ ...good, documentId: 'sum', source: { ...good.source, sha256: '0'.repeat(64) } }),
  },
  {
    name: 'another checksum than that of a file in a folder',
    code: 'input-changed',
    document: (good) => ({
      ...at(join(folder, 'inside.pdf'))(good),
      documentId: 'file-sum',
      source: { ...good.source, path: join(folder, 'inside.pdf'), sha256: '0'.repeat(64) },
    }),
  },
  {
    name: 'the same key twice',
    code: 'artifact-missing',
    document: at('store:inputs/none'),
  },
]

/** By a codec that workers do not have. */
const packed = { key: null, value: Buffer.from('no json, packed'), headers: [] }

describeKafka('bad input over a real broker', () => {
  const open: AsyncDisposable[] = []
  const heard: { topic: string; payload: unknown }[] = []
  const fatal: Error[] = []
  let sent: { name: string; code: FailureCode; record: RawRecord }[] = []
  let first: bigint
  let artifacts: StoreArtifacts
  let topic: string

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pagestream-test-'))
    open.push({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) })
    const [inside, outside] = [join(folder, 'inside'), join(folder, 'outside.pdf')]
    const bytes = tinyPdf([{ content: show('A line that is long enough to be read as text', 72, 700) }])
    await mkdir(inside)
    await writeFile(outside, bytes)
    await writeFile(join(inside, 'inside.pdf'), bytes)
    await symlink(outside, join(inside, 'link.pdf'))
    const config = configSchema.parse({
      kafka: testKafkaConfig(),
      store: { url: pathToFileURL(join(folder, 'store')).href },
      ocr: 'never',
      limits: { maxDocumentBytes: 1e6 },
      inputs: { folders: [inside], hosts: ['127.0.0.1:9', 'files.example.com'] },
    })
    await using admin = await TopicAdmin.connect(config.kafka)
    await admin.apply()
    topic = kafkaTopic(config.kafka.topicPrefix, 'documents', 'live')
    const store = await openStore(config.store)
    artifacts = new StoreArtifacts(store)
    const bus = await KafkaBus.connect(config.kafka, 'live')
    open.push({ [Symbol.asyncDispose]: () => bus.close() })
    const onFatal = (error: Error) => void fatal.push(error)
    const listener = {
      records: (batch: { records: readonly { topic: string; payload: unknown }[] }) => void heard.push(...batch.records),
      assigned() {},
      revoked() {},
    }
    await bus.subscribe({ group: 'listener', topics: ['documents.assembled', 'dead-letter'] }, { ...listener, fatal: onFatal })
    const good: DocumentSubmitted = { ...(await new Submitter(config, store, bus).identify(outside, 'good.pdf')), ocr: 'never' }
    sent = cases(inside, outside).map(({ name, code, document, key = Buffer.from(name), value = null, headers = [] }) => {
      const made = document ? json(document(good)) : value
      const twice = name === 'the same key twice' && made ? Buffer.from(made.toString().replace('{', '{ "documentId":"first", ')) : made
      return { name, code, record: { key, value: twice, headers } }
    })
    const behind = { key: null, value: json({ ...good, pages: [0, 0, 0, 5] }), headers: [] }
    const [address = ''] = brokers
    first = await sendRaw(
      address,
      topic,
      0,
      sent.map(({ record }) => record),
    )
    await sendRaw(address, topic, 0, [packed], 'snappy')
    await sendRaw(address, topic, 0, [behind])
    const worker = new Worker({ config, stages: new Set(stageNames), lanes: ['live'], onFatal })
    open.push(worker)
    await worker.start()
    await eventually(() => expect(ends().filter(({ status }) => status === 'complete')).toHaveLength(1), 30_000)
    await eventually(() => expect(letters()).toHaveLength(sent.length + 1), 30_000)
  })
  afterAll(async () => {
    for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]()
  })

  const letters = () => heard.filter(({ topic }) => topic === 'dead-letter').map(({ payload }) => payload as DeadLetter)
  const ends = () => heard.filter(({ topic }) => topic === 'documents.assembled').map(({ payload }) => payload as DocumentAssembled)

  it('reads the document behind it all, a page that is asked for twice once', () => {
    expect(fatal).toEqual([])
    expect(ends().filter(({ status }) => status === 'complete')).toMatchObject([{ pages: 1, failedPages: 0 }])
  })

  it('ends every document whose message says which it is', async () => {
    const known = letters().filter(({ documentId }) => documentId !== '')
    expect(known.length).toBeGreaterThan(15)
    const ended = known.map(({ documentId, failure }) => expect.objectContaining({ documentId, status: 'failed', failure }))
    await eventually(() => expect(ends()).toEqual(expect.arrayContaining(ended)))
  })

  it('keeps what came packed as it was before', () => {
    const letter = letters().find(({ original }) => original?.offset === String(first + BigInt(sent.length)))
    expect(letter).toMatchObject({ failure: { code: 'message-not-json' }, original: { value: packed.value.toString('base64') } })
  })

  it.each(cases('', '').map(({ name }, index) => ({ name, index })))('keeps the original of $name, byte for byte, with the reason', async ({ index }) => {
    const { code, record } = sent[index] ?? expect.fail('no such case')
    const letter = letters().find(({ original }) => original?.offset === String(first + BigInt(index)))
    expect(letter?.failure.code).toBe(code)
    expect(letter?.failure.message.length).toBeLessThan(500)
    const original = letter?.original ? await wholeOriginal(letter.original, artifacts) : undefined
    expect(original).toMatchObject({ topic, partition: 0 })
    const bytes = (text: string | null | undefined) => (text ? Buffer.from(text, 'base64') : text === '' ? Buffer.alloc(0) : null)
    expect(bytes(original?.key)?.equals(record.key ?? Buffer.alloc(0)) ?? null).toBe(record.key ? true : null)
    expect(bytes(original?.value)?.equals(record.value ?? Buffer.alloc(0)) ?? null).toBe(record.value ? true : null)
    const headers = original?.headers.map(([name, value]) => `${name} ${value}`).sort()
    expect(headers).toEqual(record.headers.map(([name, value]) => `${name} ${value?.toString('base64') ?? null}`).sort())
  })
})
