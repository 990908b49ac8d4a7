// Everything that fills the dashboards, for a while: a broker, the stand-in of an engine, a worker, live documents, a backfill, and Prometheus over all.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { generatedPdf } from '../../bench/generate.mjs'
import { loadConfig } from '../../dist/config/load-config.js'
import { KafkaBus } from '../../dist/consumers/kafka/kafka-bus.js'
import { TopicAdmin } from '../../dist/consumers/kafka/topic-admin.js'
import { findKafka } from '../../dist/demo/kafka/find-kafka.js'
import { Submitter } from '../../dist/inputs/submitter.js'
import { tryPort } from '../../dist/runtime/processes/free-port.js'
import { openStore } from '../../dist/store/open-store.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cli = join(root, 'dist/bundle/cli.js')
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
/** Documents a second: live ones, and such of the archive. */
const rates = { live: 1, bulk: 2 }
const startMs = 60_000
const scrapeMs = 2000
/** Seconds that are waited for documents to end. */
const longestMore = 60

/** Starts it all in `folder`; resolves when the workers are ready. What is running ends with `close`. */
export async function demoRun(folder) {
  const open = []
  const close = async () => {
    for (const each of open.splice(0).reverse()) await each()
  }
  try {
    const kafka = await findKafka()
    if ('missing' in kafka) throw new Error(`the run needs ${kafka.missing}`)
    open.push(() => kafka.close())
    const fallen = []
    const start = starter(open, fallen)
    const stub = ['test/support/vlm/run-stub.mjs', '--slots', '8', '--decode', '150', '--total', '900', '--prefill', '30000'].map((part, i) =>
      i ? part : join(root, part),
    )
    const [, url] = await start(process.execPath, stub, {}, /listening on (\S+)/)
    const { config, file } = await configure(folder, kafka.brokers, url)
    const [prometheusPort, workerPort, backfillPort] = [await tryPort('127.0.0.1', 0), await tryPort('127.0.0.1', 0), await tryPort('127.0.0.1', 0)]
    const targets = [workerPort, backfillPort].map((port) => `127.0.0.1:${port}`)
    const address = `http://127.0.0.1:${prometheusPort}`
    const env = { PAGESTREAM_CONFIG: file }
    await Promise.all([
      startPrometheus(start, folder, prometheusPort, targets),
      start(process.execPath, [cli, 'worker', '--stage', 'all', '--port', `${workerPort}`], env, / ready: /),
    ])
    const work = async (seconds) => {
      const archive = writeArchive(folder, Math.max(200, Math.ceil(seconds * rates.bulk * 1.5)))
      const args = [cli, 'backfill', 'run', archive, '--run', 'demo', '--rate', `${rates.bulk}`, '--port', `${backfillPort}`]
      await start(process.execPath, args, env)
      await submitLive(config, folder, seconds, () => fallen.length > 0 || hasEnded(address))
      await sleep(3 * scrapeMs)
      if (fallen.length > 0) throw new Error(fallen.join('\n'))
    }
    return { url: address, targets, work, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Starts processes that are ended with the run; one that ends before that has fallen. */
const starter = (open, fallen) => async (program, args, env, until) => {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  let wake = () => {}
  const listen = (piece) => {
    said = (said + piece).slice(-20_000)
    wake()
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  const ended = once(child, 'exit').then(([code, signal]) => {
    if (open.length > 0) fallen.push(`${program} ${args.slice(0, 3).join(' ')} ended with ${code ?? signal}: ${said.slice(-2000)}`)
    wake()
  })
  open.push(async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(timer)
  })
  const deadline = setTimeout(() => child.kill('SIGKILL'), startMs)
  try {
    for (;;) {
      const found = until ? until.exec(said) : []
      if (found) return found
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(fallen.at(-1))
      await new Promise((resolve) => {
        wake = resolve
      })
    }
  } finally {
    clearTimeout(deadline)
  }
}

async function configure(folder, brokers, url) {
  const prefix = `dashboards-${randomUUID().slice(0, 8)}`
  const keys = {
    kafka: { brokers, topicPrefix: prefix, groupPrefix: prefix, partitions: 4, maxWaitMs: 300 },
    store: { url: pathToFileURL(join(folder, 'store')).href },
    ...{ images: false, workers: 1 },
    device: 'cpu',
    vlm: { family: 'mineru2.5', engine: { kind: 'vllm', urls: [url] } },
  }
  const file = join(folder, 'config.json')
  writeFileSync(file, JSON.stringify(keys))
  const config = loadConfig({ env: {}, overrides: keys })
  const admin = await TopicAdmin.connect(config.kafka)
  await admin.apply()
  await admin[Symbol.asyncDispose]()
  return { config, file }
}

async function startPrometheus(start, folder, port, targets) {
  const file = join(folder, 'prometheus.json')
  const scrape = { job_name: 'pagestream', static_configs: [{ targets, labels: { cluster: 'demo', namespace: 'documents' } }] }
  const global = { scrape_interval: `${scrapeMs}ms`, evaluation_interval: `${scrapeMs}ms` }
  writeFileSync(file, JSON.stringify({ global, rule_files: [join(root, 'grafana/rules/*.yaml')], scrape_configs: [scrape] }))
  const flags = [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, 'series')}`, `--web.listen-address=127.0.0.1:${port}`]
  await start('prometheus', flags, {}, /Server is ready to receive web requests/)
}

const samples = ['scan.pdf', 'blank.pdf', 'garbage-text-layer.pdf'].map((name) => readFileSync(join(root, 'samples', name)))
const digital = generatedPdf(2)

/** A document that no other is: text that is trusted, or one of the samples; one in ten is none. */
function demoDocument(index) {
  if (index % 10 === 9) return Buffer.from(`%PDF-1.4\nbroken ${index}`)
  const base = index % 3 === 0 ? digital : samples[index % samples.length]
  return Buffer.concat([base, Buffer.from(`\n% ${index}\n`)])
}

function writeArchive(folder, documents) {
  const archive = join(folder, 'archive')
  mkdirSync(archive)
  for (let i = 0; i < documents; i++) writeFileSync(join(archive, `${i}.pdf`), demoDocument(1_000_000 + i))
  return archive
}

/** Documents of both lanes, some of them failed, and such of the backfill: each at least twice told of. */
async function hasEnded(url) {
  const failed = 'increase(pagestream_dead_letters_total[1m]) > 0'
  const lanes = 'count(sum by (lane) (increase(pagestream_documents_total{status="complete"}[1m])) > 0) == 2'
  const run = 'increase(pagestream_backfill_documents_total{status="complete"}[1m]) > 0'
  const query = `${lanes} and on () count(${failed}) and on () count(${run})`
  const { data } = await (await fetch(`${url}/api/v1/query?${new URLSearchParams({ query })}`)).json()
  return data.result.length > 0
}

/** Sends documents for so many seconds, and then until those that the dashboards tell of have ended: on a machine with much else to do that takes longer. */
async function submitLive(config, folder, seconds, isEnough) {
  const bus = await KafkaBus.connect(config.kafka, 'live')
  const submitter = new Submitter(config, await openStore(config.store), bus)
  const [end, latest] = [seconds, seconds + longestMore].map((after) => Date.now() + 1000 * after)
  try {
    for (let i = 0; Date.now() < end || (Date.now() < latest && !(await isEnough())); i++) {
      const path = join(folder, `live-${i}.pdf`)
      writeFileSync(path, demoDocument(i))
      await submitter.send(await submitter.identify(path, `live-${i}.pdf`))
      await sleep(1000 / rates.live)
    }
  } finally {
    await bus.close()
  }
}
