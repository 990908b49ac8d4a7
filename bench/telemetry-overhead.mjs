import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadConfig } from '../dist/config/load-config.js'
import { TopicAdmin } from '../dist/consumers/kafka/topic-admin.js'
import { startWorker } from '../dist/demo/kafka/demo-workers.js'
import { findKafka } from '../dist/demo/kafka/find-kafka.js'
import { tryPort } from '../dist/runtime/processes/free-port.js'
import { conditions } from './conditions.mjs'
import { LaneLoad } from './lanes/lane-load.mjs'
import { median, report } from './report.mjs'

/** Workers run for days: what counts is a process that is warm. */
const warmUp = { documents: 30, pages: 10 }
const measured = { documents: 60, pages: 10 }
const underWay = 8
const scrapeMs = 2_000
const ticksPerSecond = 100

const contenders = ['off', 'metrics', 'metrics, 1 % of traces', 'metrics, all traces']

/** Takes spans and forgets them. */
async function collector() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end())
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => new Promise((resolve) => server.close(resolve)) }
}

/** Processor seconds of a process and all its threads, those that have ended too. Linux. */
function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

function environment(contender, port, traces) {
  if (contender === 'off') return {}
  const served = { PAGESTREAM_WORKER__PORT: String(port) }
  if (contender === 'metrics') return served
  const share = contender.includes('1 %') ? '0.01' : '1'
  return { ...served, OTEL_EXPORTER_OTLP_ENDPOINT: traces.url, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: share }
}

/** Reads documents with a worker that is watched or not; answers what a page took, CPU of the worker alone. */
async function play(contender, brokers, traces) {
  const folder = mkdtempSync(join(tmpdir(), 'pagestream-telemetry-'))
  const prefix = `bench-${randomUUID().slice(0, 8)}`
  const store = { url: pathToFileURL(join(folder, 'store')).href }
  const keys = { kafka: { brokers, topicPrefix: prefix, groupPrefix: prefix, partitions: 4 }, store, ocr: 'never' }
  const config = loadConfig({ env: {}, overrides: keys })
  const admin = await TopicAdmin.connect(config.kafka)
  await admin.apply()
  await admin[Symbol.asyncDispose]()
  const configFile = join(folder, 'worker.json')
  writeFileSync(configFile, JSON.stringify(keys))
  const port = await tryPort('127.0.0.1', 0)
  const worker = await startWorker('all', { ...process.env, PAGESTREAM_CONFIG: configFile, ...environment(contender, port, traces) })
  const load = await LaneLoad.connect(config, 'live', folder)
  const scrape = () => fetch(`http://127.0.0.1:${port}/metrics`, { headers: { accept: 'application/openmetrics-text' } }).then((answer) => answer.text())
  const timer = contender === 'off' ? undefined : setInterval(() => scrape().catch(console.error), scrapeMs)
  const through = async ({ documents, pages }) => {
    const made = await load.make(documents, pages)
    const [cpuBefore, startedAt] = [cpuSeconds(worker.pid), performance.now()]
    await Promise.all(
      Array.from({ length: underWay }, async () => {
        for (let next = made.pop(); next; next = made.pop()) await load.sendAndWait(next)
      }),
    )
    return { wallMs: (performance.now() - startedAt) / (documents * pages), cpuMs: ((cpuSeconds(worker.pid) - cpuBefore) * 1000) / (documents * pages) }
  }
  try {
    await through(warmUp)
    return await through(measured)
  } finally {
    clearInterval(timer)
    await load.close()
    await worker.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What it costs to be watched: the whole chain over a broker, with metrics scraped and traces kept, against the same chain unwatched. */
export async function telemetryOverhead({ rounds = 5, save }) {
  const started = conditions()
  const kafka = await findKafka()
  if ('missing' in kafka) throw new Error(`the bench needs ${kafka.missing}`)
  const traces = await collector()
  const samples = []
  try {
    for (let round = 0; round < rounds; round++) {
      for (let turn = 0; turn < contenders.length; turn++) {
        const contender = contenders[(round + turn) % contenders.length]
        const sample = await play(contender, kafka.brokers, traces)
        samples.push({ contender, round, ...sample })
        console.error(`round ${round + 1}  ${contender}: ${sample.cpuMs.toFixed(2)} ms CPU, ${sample.wallMs.toFixed(2)} ms a page`)
      }
    }
  } finally {
    await traces.close()
    await kafka.close()
  }
  const of = (contender, key) => median(samples.filter((sample) => sample.contender === contender).map((sample) => sample[key]))
  const ratio = (contender, key) =>
    median(
      Array.from({ length: rounds }, (_, round) => {
        const at = (name) => samples.find((sample) => sample.contender === name && sample.round === round)[key]
        return at(contender) / at('off')
      }),
    )
  report({
    name: 'telemetry-overhead',
    title: 'The whole chain over a real broker, watched and unwatched',
    conditions: { ...started, rounds, pages: measured.documents * measured.pages, broker: kafka.from, scrapes: `every ${scrapeMs} ms` },
    tables: [
      {
        heading: 'A page through five stages in one worker',
        rows: contenders.map((contender) => ({
          telemetry: contender,
          'CPU ms': of(contender, 'cpuMs').toFixed(2),
          'wall ms': of(contender, 'wallMs').toFixed(2),
          'CPU of off': ratio(contender, 'cpuMs').toFixed(3),
          'wall of off': ratio(contender, 'wallMs').toFixed(3),
        })),
      },
    ],
    notes: [
      `Documents of ${measured.pages} pages with a text layer, generated anew for each turn, ${underWay} under way; ${warmUp.documents} before the clock starts. Pages that a model reads take longer, and so telemetry less of them.`,
      'CPU is that of the worker alone; scrapes are answered by it, spans are sent by it. Contenders take turns, another one first in each round; ratios are medians over rounds of the ratio within a round.',
      'Metrics are counted also in `off`, as they always are; there is no server and no scrape.',
    ],
    ratio: contenders
      .slice(1)
      .map((contender) => `${contender}: ${ratio(contender, 'cpuMs').toFixed(3)} CPU`)
      .join('; '),
    data: { samples },
    save,
  })
}
