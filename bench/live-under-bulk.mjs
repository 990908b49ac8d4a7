import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadConfig } from '../dist/config/load-config.js'
import { TopicAdmin } from '../dist/consumers/kafka/topic-admin.js'
import { startWorker } from '../dist/demo/kafka/demo-workers.js'
import { findKafka } from '../dist/demo/kafka/find-kafka.js'
import { conditions } from './conditions.mjs'
import { LaneLoad } from './lanes/lane-load.mjs'
import { residentMiB, ThreadTimes } from './lanes/thread-times.mjs'
import { report } from './report.mjs'

const perPhase = 15
const bulkPages = 20
/** Documents of a full lane that have not ended. */
const full = 30
/** Time between two live documents: each finds the system as the other lane leaves it. */
const betweenMs = 400
const shareMs = 20_000

const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const ratio = (above, below, share) => (quantile(above, share) / quantile(below, share)).toFixed(2)

/** Latency from submission to the assembled document in the live lane, alone and while the bulk lane is full, by turns; then what bulk has while both are full. */
export async function liveUnderBulk({ save, rounds = 4 }) {
  const started = conditions()
  const kafka = await findKafka()
  if ('missing' in kafka) throw new Error(`the bench needs ${kafka.missing}`)
  const folder = mkdtempSync(join(tmpdir(), 'pagestream-lanes-'))
  let worker
  const open = []
  try {
    const prefix = `bench-${randomUUID().slice(0, 8)}`
    const keys = {
      kafka: { brokers: kafka.brokers, topicPrefix: prefix, groupPrefix: prefix, partitions: 4 },
      store: { url: pathToFileURL(join(folder, 'store')).href },
      ocr: 'never',
    }
    const config = loadConfig({ env: {}, overrides: keys })
    const admin = await TopicAdmin.connect(config.kafka)
    await admin.apply()
    await admin[Symbol.asyncDispose]()
    const configFile = join(folder, 'worker.json')
    writeFileSync(configFile, JSON.stringify(keys))
    worker = await startWorker('all', { ...process.env, PAGESTREAM_CONFIG: configFile })
    const [live, bulk] = await Promise.all(['live', 'bulk'].map((lane) => LaneLoad.connect(config, lane, folder)))
    open.push(live, bulk)

    const latencies = async (meanwhile = async () => {}) => {
      const times = []
      for (let i = 0; i < perPhase; i++) {
        await meanwhile()
        const [submitted] = await live.make(1, 1)
        const at = performance.now()
        await live.sendAndWait(submitted)
        times.push(performance.now() - at)
        await sleep(betweenMs)
      }
      return times
    }
    const keepFull = (lane) => lane.fill(full, bulkPages)

    await latencies() // until everything is warm
    const [idle, loaded, ratios] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      const alone = await latencies()
      await bulk.stock(5 * full, bulkPages)
      await keepFull(bulk)
      await bulk.ended(1)
      const beside = await latencies(() => keepFull(bulk))
      await bulk.ended(bulk.underWay)
      idle.push(...alone)
      loaded.push(...beside)
      ratios.push(ratio(beside, alone, 0.95))
      console.log(`round ${round + 1}: p95 ${Math.round(quantile(alone, 0.95))} ms alone, ${Math.round(quantile(beside, 0.95))} ms beside bulk`)
    }

    for (const lane of [live, bulk]) await lane.stock(5 * full, bulkPages)
    for (const lane of [live, bulk]) await keepFull(lane)
    await Promise.all([live, bulk].map((lane) => lane.ended(1)))
    const [from, cpu] = [performance.now(), new ThreadTimes(worker.pid)]
    const before = [live.pages, bulk.pages]
    while (performance.now() - from < shareMs) {
      for (const lane of [live, bulk]) await keepFull(lane)
      await sleep(50)
      cpu.sample()
    }
    const seconds = (performance.now() - from) / 1000
    const { live: liveCpu, bulk: bulkCpu } = cpu
    const [livePages, bulkRate] = [live.pages - before[0], (bulk.pages - before[1]) / seconds]
    const row = (name, times) => ({
      'live lane': name,
      'p50 ms': Math.round(quantile(times, 0.5)),
      'p95 ms': Math.round(quantile(times, 0.95)),
      n: times.length,
    })
    const share = (name, pages, seconds_) => ({ lane: name, 'pages a second': pages.toFixed(1), 'processor time, s': seconds_.toFixed(1) })
    report({
      name: 'live-under-bulk',
      title: 'Latency of the live lane under a full bulk lane',
      conditions: {
        ...started,
        loadAtEnd: Number(loadavg()[0]?.toFixed(2)),
        broker: kafka.from,
        live: '1 page a document',
        bulk: `${full} documents of ${bulkPages} pages under way`,
        rounds,
      },
      tables: [
        { heading: 'Submission to assembled document, one page', rows: [row('alone', idle), row('with a full bulk lane', loaded)] },
        {
          heading: `Both lanes full for ${Math.round(seconds)} s`,
          rows: [share('live', livePages / seconds, liveCpu), share('bulk', bulkRate, bulkCpu)],
        },
      ],
      notes: [
        `One worker process with all stages serves both lanes (${residentMiB(worker.pid)} MiB at the end); broker, sender and reader run beside it on the same cores.`,
        `Alone and with bulk by turns; p95 ratio of each round: ${ratios.join(', ')}.`,
        `Processor time of bulk is that of threads with lowered priority: ${Math.round((100 * bulkCpu) / (liveCpu + bulkCpu))} % of what the worker had while live had more than it could do.`,
      ],
      ratio: `live latency with a full bulk lane / alone, p95: ${ratio(loaded, idle, 0.95)}; p50: ${ratio(loaded, idle, 0.5)}`,
      data: { idle, loaded, ratios, share: { livePages: livePages / seconds, bulkPages: bulkRate, liveCpu, bulkCpu } },
      save,
    })
  } finally {
    await worker?.kill()
    await Promise.all(open.map((lane) => lane.close()))
    await kafka.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
