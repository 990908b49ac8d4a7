import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { kafkaConfigSchema } from '../dist/config/kafka-config.js'
import { KafkaBus } from '../dist/consumers/kafka/kafka-bus.js'
import { TopicAdmin } from '../dist/consumers/kafka/topic-admin.js'
import { findKafka } from '../dist/demo/kafka/find-kafka.js'
import { conditions } from './conditions.mjs'
import { median, report } from './report.mjs'

const script = fileURLToPath(new URL('./workers/empty-chain.mjs', import.meta.url))
const records = 4000
const longestMs = 180_000

const source = { name: 'bench.pdf', path: `store:inputs/${'a'.repeat(64)}`, mediaType: 'application/pdf', bytes: 1, sha256: 'a'.repeat(64) }
const page = { documentId: 'd', revision: 'r', pageIndex: 0, pageCount: 1, ocr: 'auto', source }
const frame = { width: 612, height: 792, angle: 0 }
const ref = { key: `tmp/${'b'.repeat(200)}.json` }
/** One payload of each topic, about a kilobyte as on a cluster. */
const payloads = {
  documents: { documentId: 'd', revision: 'r', source, ocr: 'auto' },
  'pages.rendered': { page, frame, textLayer: ref, opened: ref },
  'pages.gated': { page, frame, textLayer: ref, opened: ref, gate: 'text-layer', modelUsed: false, verdict: ref },
  'pages.layout': { page, frame, textLayer: ref, opened: ref, gate: 'text-layer', modelUsed: false, verdict: ref, blocks: ref },
  'pages.recognized': { kind: 'page', page, status: 'ok', result: ref, opened: ref },
  'documents.assembled': { documentId: 'd', revision: 'r', status: 'complete', pages: 1, failedPages: 0, source, outputs: ['document.json', 'document.md'] },
}

/** Sends the records through five hops and waits until all have come out; CPU is that of the hops' process alone. */
async function play(kind, brokers) {
  const prefix = `bench-${randomUUID().slice(0, 8)}`
  const config = kafkaConfigSchema.parse({ brokers, topicPrefix: prefix, groupPrefix: prefix, partitions: 4, maxWaitMs: 100 })
  const admin = await TopicAdmin.connect(config)
  await admin.apply()
  await admin[Symbol.asyncDispose]()
  const child = spawn(process.execPath, [script, kind, JSON.stringify(config)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, BENCH_PAYLOADS: JSON.stringify(payloads) },
  })
  const lines = createInterface({ input: child.stdout })
  const bus = await KafkaBus.connect(config, 'live')
  try {
    await once(lines, 'line')
    const cpu = async () => {
      child.stdin.write('cpu\n')
      const [line] = await once(lines, 'line')
      return Number(line.split(' ')[1])
    }
    let come = 0
    let done = () => {}
    const all = new Promise((resolve, reject) => {
      done = resolve
      setTimeout(() => reject(new Error(`${kind}: only ${come} of ${records} records came through`)), longestMs).unref()
    })
    await bus.subscribe(
      { group: 'bench-end', topics: ['documents.assembled'] },
      {
        records: (batch) => {
          come += batch.records.length
          if (come >= records) done()
        },
        assigned: () => {},
        revoked: () => {},
        fatal: (error) => {
          throw error
        },
      },
    )
    await new Promise((resolve) => setTimeout(resolve, 3000)) // until the groups stand still
    const [cpuBefore, started] = [await cpu(), performance.now()]
    // The relay hands on what it gets, so what it gets at first must be what comes out at last.
    const topic = kind === 'relay' ? undefined : 'documents'
    if (topic) await bus.publish(Array.from({ length: records }, (_, i) => ({ topic, key: `d${i}`, payload: { ...payloads.documents, documentId: `d${i}` } })))
    else await publishRaw(config, records)
    await all
    return { wallMs: performance.now() - started, cpuMs: (await cpu()) - cpuBefore }
  } finally {
    child.stdin.end()
    await bus.close()
  }
}

async function publishRaw(config, count) {
  const { kafkaClient } = await import('../dist/consumers/kafka/kafka-bus.js')
  const { encode } = await import('../dist/consumers/kafka/cloud-events.js')
  const { kafkaTopic } = await import('../dist/consumers/kafka/topic-names.js')
  const producer = kafkaClient(config).producer({ idempotent: true, maxInFlightRequests: 5 })
  await producer.connect()
  const messages = Array.from({ length: count }, (_, i) =>
    encode({ topic: 'documents.assembled', key: `d${i}`, payload: { ...payloads['documents.assembled'], documentId: `d${i}` } }),
  )
  for (let at = 0; at < count; at += 500) {
    await producer.send({ topic: kafkaTopic(config.topicPrefix, 'documents', 'live'), acks: -1, messages: messages.slice(at, at + 500) })
  }
  await producer.disconnect()
}

/** Records a second and CPU a record of five stages that do nothing, next to a plain kafkajs relay of the same five hops. */
export async function kafkaOverhead({ rounds = 3, save }) {
  const started = conditions()
  const kafka = await findKafka()
  if ('missing' in kafka) throw new Error(`the bench needs ${kafka.missing}`)
  const samples = []
  try {
    for (let round = 0; round <= rounds; round++) {
      for (const kind of ['pagestream', 'relay']) {
        const { wallMs, cpuMs } = await play(kind, kafka.brokers)
        if (round > 0) samples.push({ kind, round, wallMs: wallMs / records, cpuMs: cpuMs / records })
        console.error(`round ${round}  ${kind}: ${(cpuMs / records).toFixed(3)} ms CPU, ${(wallMs / records).toFixed(3)} ms a record`)
      }
    }
  } finally {
    await kafka.close()
  }
  const of = (kind, key) => median(samples.filter((sample) => sample.kind === kind).map((sample) => sample[key]))
  const ratio = (key) =>
    median(
      Array.from({ length: rounds }, (_, i) => {
        const at = (kind) => samples.find((sample) => sample.kind === kind && sample.round === i + 1)[key]
        return at('pagestream') / at('relay')
      }),
    )
  report({
    name: 'kafka-overhead',
    title: 'Five stages that do nothing over a real broker',
    conditions: { ...started, rounds, records, broker: kafka.from },
    tables: [
      {
        heading: 'A record through five hops',
        rows: ['pagestream', 'relay'].map((kind) => ({
          chain: kind === 'relay' ? 'kafkajs alone' : kind,
          'CPU ms': of(kind, 'cpuMs').toFixed(3),
          'wall ms': of(kind, 'wallMs').toFixed(3),
          'records/s': Math.round(1000 / of(kind, 'wallMs')),
        })),
      },
    ],
    notes: [
      'Each side runs its five hops in one process; CPU is that process alone, without the broker, the sender and the reader at the end.',
      'pagestream checks every payload against its schema twice a hop, keeps windows, low-water marks and fenced commits; the relay hands bytes on and commits after each batch.',
    ],
    ratio: `pagestream / kafkajs alone: ${ratio('cpuMs').toFixed(2)} CPU, ${ratio('wallMs').toFixed(2)} wall`,
    data: { samples },
    save,
  })
}
