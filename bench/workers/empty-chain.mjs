// Five hops over a broker that do nothing but hand on, in a process of their own: `node empty-chain.mjs pagestream|relay CONFIG_JSON`.
// Answers `ready` when all five have joined; `cpu` on standard input is answered with the CPU milliseconds so far.
import { createInterface } from 'node:readline'
import { KafkaBus, kafkaClient } from '../../dist/consumers/kafka/kafka-bus.js'
import { kafkaTopic } from '../../dist/consumers/kafka/topic-names.js'
import { StageWorker } from '../../dist/consumers/stage-worker.js'
import { WindowSlots } from '../../dist/consumers/window-slots.js'
import { stageNames } from '../../dist/schema/stage.js'
import { Counters } from '../../dist/telemetry/counters.js'

const [kind, json] = process.argv.slice(2)
const config = JSON.parse(json)
/** Every hop carries the same kind of record, so that both sides move the same bytes: topics of five stages and one behind them. */
const hops = ['documents', 'pages.rendered', 'pages.gated', 'pages.layout', 'pages.recognized', 'documents.assembled']
const next = (topic) => hops[hops.indexOf(topic) + 1]

const payloads = JSON.parse(process.env.BENCH_PAYLOADS)

/** The product's worker with a stage that answers at once. */
async function pagestream() {
  const counters = new Counters()
  for (const [i, topic] of hops.slice(0, 5).entries()) {
    const bus = await KafkaBus.connect(config, 'live')
    const stage = {
      name: stageNames[i],
      cost: () => 1,
      async *process(window) {
        for (const input of window.pages) yield { kind: 'done', input, value: undefined }
      },
    }
    const binding = {
      topic,
      stage,
      async *expand(payload) {
        yield { kind: 'page', page: { payload } }
      },
      done: async ({ payload }) => [{ topic: next(topic), key: idOf(payload), payload: { ...payloads[next(topic)], ...named(next(topic), idOf(payload)) } }],
      failed: async () => [],
      unreadable: async () => [],
    }
    const onFatal = (error) => {
      console.error(error)
      process.exit(1)
    }
    await new StageWorker(binding, {
      ...{ bus, group: `bench-${topic}`, lane: 'live', counters, onFatal, slots: new WindowSlots({ perStage: 2 }) },
      window: { pages: 64, costMs: 60_000, bytes: 64 * 1024 ** 2, ageMs: 20 },
      maxPagesInFlight: 256,
      maxBytesBuffered: 16 * 1024 ** 2,
    }).start()
  }
}

/** Where a payload says which document it is about. */
const idOf = (payload) => payload.documentId ?? payload.page.documentId
const named = (topic, documentId) => (topic.startsWith('pages.') ? { page: { ...payloads[topic].page, documentId } } : { documentId })

/** What one would write with kafkajs alone: a batch comes, goes on, its offset is committed. */
async function relay() {
  for (const topic of hops.slice(0, 5)) {
    const client = kafkaClient(config)
    const producer = client.producer({ idempotent: true, maxInFlightRequests: 5 })
    const consumer = client.consumer({ groupId: `bench-relay-${topic}`, maxWaitTimeInMs: config.maxWaitMs, sessionTimeout: config.sessionTimeoutMs })
    await producer.connect()
    await consumer.connect()
    await consumer.subscribe({ topic: kafkaTopic(config.topicPrefix, topic, 'live'), fromBeginning: true })
    const target = kafkaTopic(config.topicPrefix, next(topic), 'live')
    await consumer.run({
      eachBatch: async ({ batch }) => {
        const messages = batch.messages.map(({ key, value, headers }) => ({ key, value, headers }))
        await producer.send({ topic: target, acks: -1, messages })
      },
    })
  }
}

await (kind === 'relay' ? relay() : pagestream())
console.log('ready')
for await (const line of createInterface({ input: process.stdin })) {
  if (line !== 'cpu') break
  const { user, system } = process.cpuUsage()
  console.log(`cpu ${(user + system) / 1000}`)
}
process.exit(0)
