import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '../dist/config/load-config.js'
import { encode } from '../dist/consumers/kafka/cloud-events.js'
import { kafkaClient } from '../dist/consumers/kafka/kafka-client.js'
import { TopicAdmin } from '../dist/consumers/kafka/topic-admin.js'
import { kafkaTopic } from '../dist/consumers/kafka/topic-names.js'
import { findKafka } from '../dist/demo/kafka/find-kafka.js'
import { conditions } from './conditions.mjs'
import { median, report } from './report.mjs'
import { hops, recordFor } from './workers/empty-events.mjs'

const script = fileURLToPath(new URL('./workers/empty-chain.mjs', import.meta.url))
/** Workers run for days: what counts is a process that is warm. */
const warmUp = 10_000
const records = 16_000
const longestMs = 180_000

/** Sends records through five hops and waits until all have come out; CPU is that of the hops' process alone. */
async function play(kind, brokers) {
  const prefix = `bench-${randomUUID().slice(0, 8)}`
  const { kafka, worker, window } = loadConfig({
    env: {},
    overrides: { kafka: { brokers, topicPrefix: prefix, groupPrefix: prefix, partitions: 4, maxWaitMs: 100 } },
  })
  const admin = await TopicAdmin.connect(kafka)
  await admin.apply()
  await admin[Symbol.asyncDispose]()
  const child = spawn(process.execPath, [script, kind, JSON.stringify({ kafka, worker, window })], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const answer = async (question) => {
    if (question) child.stdin.write(`${question}\n`)
    return (await once(lines, 'line'))[0]
  }
  const producer = kafkaClient(kafka).producer({ idempotent: true })
  const reader = await countingReader(kafka)
  try {
    await answer()
    await producer.connect()
    await new Promise((resolve) => setTimeout(resolve, 3000)) // until the groups stand still
    const through = async (count) => {
      const [cpuBefore, started, all] = [Number(await answer('cpu')), performance.now(), reader.until(count)]
      const messages = Array.from({ length: count }, (_, i) => firstRecord(kind, documentId(i)))
      for (let at = 0; at < count; at += 500) {
        await producer.send({ topic: kafkaTopic(prefix, 'documents', 'live'), acks: -1, messages: messages.slice(at, at + 500) })
      }
      await all
      return { wallMs: performance.now() - started, cpuMs: Number(await answer('cpu')) - cpuBefore }
    }
    await through(warmUp)
    return await through(records)
  } finally {
    child.stdin.end()
    await Promise.all([producer.disconnect(), reader.close(), once(child, 'close')])
  }
}

/** As the product's own: a hash. */
const documentId = (i) => createHash('sha256').update(String(i)).digest('hex')

/** pagestream's first stage wants a document. The relay hands on what it gets, which has the mean size of what pagestream's hops read and write. */
function firstRecord(kind, id) {
  const first = encode(recordFor('documents', id))
  if (kind === 'pagestream') return first
  const sizes = hops.flatMap((topic, i) => Array(i === 0 || i === hops.length - 1 ? 1 : 2).fill(encode(recordFor(topic, id)).value.length))
  return { ...first, value: first.value.padEnd(Math.round(sizes.reduce((sum, size) => sum + size) / sizes.length)) }
}

/** Counts what comes out at the end, the same way for both. */
async function countingReader(config) {
  const consumer = kafkaClient(config).consumer({ groupId: `${config.groupPrefix}-end`, maxWaitTimeInMs: config.maxWaitMs })
  let [come, wanted, done] = [0, 0, () => {}]
  await consumer.connect()
  await consumer.subscribe({ topic: kafkaTopic(config.topicPrefix, 'documents.assembled', 'live'), fromBeginning: true })
  await consumer.run({
    eachBatch: async ({ batch }) => {
      come += batch.messages.length
      if (come >= wanted) done()
    },
  })
  return {
    until: (more) =>
      new Promise((resolve, reject) => {
        wanted = come + more
        const late = setTimeout(() => reject(new Error(`only ${more - (wanted - come)} of ${more} records came through`)), longestMs)
        done = () => {
          clearTimeout(late)
          resolve()
        }
      }),
    close: () => consumer.disconnect(),
  }
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
    conditions: { ...started, rounds, warmUp, records, broker: kafka.from },
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
      'pagestream runs as `pagestream worker` does by default: it checks every payload against its schema twice a hop, makes event ids, keeps the record for a dead letter, windows, low-water marks and fenced commits. Its batches are as large as the pages that a worker holds.',
      'The relay hands bytes on and commits after each batch: idempotent producer, all acknowledgements, the same limits of fetches. Its records have the mean size of those of pagestream, and the same headers and keys; its batches are what a fetch brings.',
    ],
    ratio: `pagestream / kafkajs alone: ${ratio('cpuMs').toFixed(2)} CPU, ${ratio('wallMs').toFixed(2)} wall`,
    data: { samples },
    save,
  })
}
