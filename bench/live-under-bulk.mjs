import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadConfig } from '../dist/config/load-config.js'
import { KafkaBus } from '../dist/consumers/kafka/kafka-bus.js'
import { TopicAdmin } from '../dist/consumers/kafka/topic-admin.js'
import { startWorker } from '../dist/demo/kafka/demo-workers.js'
import { findKafka } from '../dist/demo/kafka/find-kafka.js'
import { Submitter } from '../dist/inputs/submitter.js'
import { openStore } from '../dist/store/open-store.js'
import { conditions } from './conditions.mjs'
import { generatedPdf } from './generate.mjs'
import { report } from './report.mjs'

const liveDocuments = 40
const bulkDocuments = 200
const bulkPages = 20
/** Time between two live documents: each finds the system as the other lane leaves it. */
const betweenMs = 400
const longestMs = 60_000

const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Latency from submission to the assembled document in the live lane, alone and while the bulk lane is full. */
export async function liveUnderBulk({ save }) {
  const started = conditions()
  const kafka = await findKafka()
  if ('missing' in kafka) throw new Error(`the bench needs ${kafka.missing}`)
  const folder = mkdtempSync(join(tmpdir(), 'pagestream-lanes-'))
  let worker
  const buses = []
  try {
    const prefix = `bench-${randomUUID().slice(0, 8)}`
    const keys = { brokers: kafka.brokers, topicPrefix: prefix, groupPrefix: prefix, partitions: 4, maxWaitMs: 100 }
    const storeUrl = pathToFileURL(join(folder, 'store')).href
    const config = loadConfig({ env: {}, overrides: { kafka: keys, store: { url: storeUrl }, ocr: 'never' } })
    const admin = await TopicAdmin.connect(config.kafka)
    await admin.apply()
    await admin[Symbol.asyncDispose]()
    const configFile = join(folder, 'worker.json')
    writeFileSync(configFile, JSON.stringify({ kafka: keys, store: { url: storeUrl }, ocr: 'never' }))
    worker = await startWorker('all', { ...process.env, PAGESTREAM_CONFIG: configFile })
    const [live, bulk] = await Promise.all(['live', 'bulk'].map((lane) => KafkaBus.connect(config.kafka, lane)))
    buses.push(live, bulk)
    const store = await openStore(config.store)
    const ended = new Map()
    let bulkPagesDone = 0
    const fatal = (error) => {
      throw error
    }
    await live.subscribe(
      { group: 'bench-lanes', topics: ['documents.assembled'], from: 'latest' },
      {
        records: ({ records }) => {
          for (const { payload } of records) {
            if (payload.source.name.startsWith('bulk')) bulkPagesDone += payload.pages
            ended.get(payload.documentId)?.()
          }
        },
        assigned: () => {},
        revoked: () => {},
        fatal,
      },
    )
    const submit = async (submitter, name, pages, seed) => {
      const path = join(folder, name)
      writeFileSync(path, generatedPdf(pages, seed))
      return [submitter, await submitter.identify(path, name)]
    }
    let seed = 1
    const liveSubmitter = new Submitter(config, store, live)
    const latencies = async () => {
      const times = []
      for (let i = 0; i < liveDocuments; i++) {
        const [submitter, submitted] = await submit(liveSubmitter, `live-${seed}.pdf`, 1, seed++)
        const done = new Promise((resolve, reject) => {
          ended.set(submitted.documentId, resolve)
          setTimeout(() => reject(new Error(`a live document took longer than ${longestMs} ms`)), longestMs).unref()
        })
        const at = performance.now()
        await submitter.send(submitted)
        await done
        times.push(performance.now() - at)
        await sleep(betweenMs)
      }
      return times
    }
    await latencies() // until everything is warm
    const idle = await latencies()
    const bulkSubmitter = new Submitter(config, store, bulk)
    for (let i = 0; i < bulkDocuments; i++) {
      const [submitter, submitted] = await submit(bulkSubmitter, `bulk-${i}.pdf`, bulkPages, 10_000 + i)
      await submitter.send(submitted)
    }
    const [pagesBefore, bulkAt] = [bulkPagesDone, performance.now()]
    const loaded = await latencies()
    const bulkRate = (bulkPagesDone - pagesBefore) / ((performance.now() - bulkAt) / 1000)
    if (bulkPagesDone >= bulkDocuments * bulkPages) throw new Error('the bulk lane ran dry before the end: its figures say nothing')
    const row = (name, times) => ({
      'live lane': name,
      'p50 ms': Math.round(quantile(times, 0.5)),
      'p95 ms': Math.round(quantile(times, 0.95)),
      n: times.length,
    })
    report({
      name: 'live-under-bulk',
      title: 'Latency of the live lane under a full bulk lane',
      conditions: { ...started, broker: kafka.from, liveDocuments, bulk: `${bulkDocuments} documents of ${bulkPages} pages` },
      tables: [{ heading: 'Submission to assembled document, one page', rows: [row('alone', idle), row('with a full bulk lane', loaded)] }],
      notes: [
        'One worker process with all stages serves both lanes on the cores of the machine; broker, sender and reader run beside it.',
        `The bulk lane went on at ${bulkRate.toFixed(1)} pages a second meanwhile.`,
      ],
      ratio: `live latency with a full bulk lane / alone, p95: ${(quantile(loaded, 0.95) / quantile(idle, 0.95)).toFixed(2)}; p50: ${(quantile(loaded, 0.5) / quantile(idle, 0.5)).toFixed(2)}`,
      data: { idle, loaded, bulkRate },
      save,
    })
  } finally {
    await worker?.kill()
    await Promise.all(buses.map((bus) => bus.close()))
    await kafka.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
