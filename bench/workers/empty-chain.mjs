// Five hops over a broker that do nothing but hand on, in a process of their own: `node empty-chain.mjs pagestream|relay CONFIG_JSON`.
// Answers `ready` when all five have joined; `cpu` on standard input is answered with the CPU milliseconds so far.
import { createInterface } from 'node:readline'
import { kafkaClient } from '../../dist/consumers/kafka/kafka-client.js'
import { kafkaTopic } from '../../dist/consumers/kafka/topic-names.js'
import { hops, recordFor } from './empty-events.mjs'

const [kind, json] = process.argv.slice(2)
const config = JSON.parse(json)
const next = (topic) => hops[hops.indexOf(topic) + 1]

/** The product's worker, set up as `pagestream worker` does, with a stage that answers at once. */
async function pagestream() {
  // Here, as they put the client's decoder right, and the relay has the client as it comes.
  const { KafkaBus } = await import('../../dist/consumers/kafka/kafka-bus.js')
  const { StageWorker } = await import('../../dist/consumers/stage-worker.js')
  const { stageNames } = await import('../../dist/schema/stage.js')
  const { Counters } = await import('../../dist/telemetry/counters.js')
  const counters = new Counters()
  const { maxPagesInFlight, maxBufferedBytes, windows, deadLetterRate, deadLetterPages, breakerPauseMs, retryAttempts, retryMs } = config.worker
  for (const [i, topic] of hops.slice(0, 5).entries()) {
    const bus = await KafkaBus.connect(config.kafka, 'live')
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
      done: async ({ payload }) => [recordFor(next(topic), payload.documentId ?? payload.page.documentId)],
      failed: async () => [],
      unreadable: async () => [],
    }
    const onFatal = (error) => {
      console.error(error)
      process.exit(1)
    }
    await new StageWorker(binding, {
      ...{ bus, group: `bench-${topic}`, lane: 'live', counters, onFatal, windows },
      ...{ window: config.window, maxPagesInFlight, maxBytesBuffered: maxBufferedBytes },
      patience: { deadLetterRate, deadLetterPages, breakerPauseMs, retry: { attempts: retryAttempts, ms: retryMs } },
    }).start()
  }
}

/** What one would write with kafkajs alone: a batch comes, goes on, its offset is committed. The client is set up as pagestream does. */
async function relay() {
  const { topicPrefix, maxWaitMs, sessionTimeoutMs, heartbeatIntervalMs, maxBytes, maxBytesPerPartition } = config.kafka
  for (const topic of hops.slice(0, 5)) {
    const client = kafkaClient(config.kafka)
    const producer = client.producer({ idempotent: true, maxInFlightRequests: 5 })
    const consumer = client.consumer({
      ...{ groupId: `${topicPrefix}-relay-${topic}`, sessionTimeout: sessionTimeoutMs, heartbeatInterval: heartbeatIntervalMs },
      ...{ maxWaitTimeInMs: maxWaitMs, maxBytes, maxBytesPerPartition },
    })
    await producer.connect()
    await consumer.connect()
    await consumer.subscribe({ topic: kafkaTopic(topicPrefix, topic, 'live'), fromBeginning: true })
    const target = kafkaTopic(topicPrefix, next(topic), 'live')
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
  console.log((user + system) / 1000)
}
process.exit(0)
