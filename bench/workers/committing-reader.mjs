// Workers that read nothing: each document of the bulk lane ends after some milliseconds. `node committing-reader.mjs CONFIG_JSON ENTRY_MS`.
import { setTimeout as sleep } from 'node:timers/promises'
import { KafkaBus } from '../../dist/consumers/kafka/kafka-bus.js'
import { StageWorker } from '../../dist/consumers/stage-worker.js'
import { WindowSlots } from '../../dist/consumers/window-slots.js'
import { Counters } from '../../dist/telemetry/counters.js'

const config = JSON.parse(process.argv[2])
const entryMs = Number(process.argv[3])
const bus = await KafkaBus.connect(config, 'bulk')
const stage = {
  name: 'page-render',
  cost: () => 1,
  async *process(window) {
    for (const input of window.pages) {
      await sleep(entryMs)
      yield { kind: 'done', input, value: undefined }
    }
  },
}
const assembled = ({ documentId, revision, source }) => ({ documentId, revision, source, status: 'complete', pages: 1, failedPages: 0, outputs: [] })
const binding = {
  topic: 'documents',
  stage,
  async *expand(payload) {
    yield { kind: 'page', page: { payload } }
  },
  done: async ({ payload }) => [{ topic: 'documents.assembled', key: payload.documentId, payload: assembled(payload) }],
  failed: async () => [],
  unreadable: async () => [],
}
const onFatal = (error) => {
  console.error(error)
  process.exit(1)
}
await new StageWorker(binding, {
  ...{ bus, group: 'page-render', lane: 'bulk', counters: new Counters(), onFatal, slots: new WindowSlots({ perStage: 2 }) },
  window: { pages: 64, costMs: 60_000, bytes: 64 * 1024 ** 2, ageMs: 20 },
  maxPagesInFlight: 1024,
  maxBytesBuffered: 16 * 1024 ** 2,
}).start()
console.log('ready')
