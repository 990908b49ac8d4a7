import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { BackfillRecord } from '../dist/backfill/backfill-record.js'
import { loadConfig } from '../dist/config/load-config.js'
import { TopicAdmin } from '../dist/consumers/kafka/topic-admin.js'
import { readTopic } from '../dist/consumers/kafka/topic-reader.js'
import { findKafka } from '../dist/demo/kafka/find-kafka.js'
import { openStore } from '../dist/store/open-store.js'
import { conditions } from './conditions.mjs'
import { generatedPdf } from './generate.mjs'
import { report } from './report.mjs'

const entries = 100_000
const checkpointEntries = 500
const targetPages = 2000
const pollMs = 250
/** A worker works on two windows at once, so it ends an entry in half of it. */
const entryMs = 4

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const file = (path) => fileURLToPath(new URL(path, import.meta.url))

/** Peak of what the process itself held, not of what it shares; Linux only. */
const residentMib = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** An archive of many entries into the bulk lane, killed on the way, with workers that take a few milliseconds an entry. */
export async function backfill({ save }) {
  const started = conditions()
  const kafka = await findKafka()
  if ('missing' in kafka) throw new Error(`the bench needs ${kafka.missing}`)
  const folder = mkdtempSync(join(tmpdir(), 'pagestream-backfill-'))
  const children = []
  try {
    const prefix = `bench-${randomUUID().slice(0, 8)}`
    const keys = { brokers: kafka.brokers, topicPrefix: prefix, groupPrefix: prefix, partitions: 4, maxWaitMs: 100 }
    const base = {
      kafka: keys,
      store: { url: pathToFileURL(join(folder, 'store')).href },
      backfill: { checkpointEntries, targetPages, targetDocuments: targetPages, pollMs },
    }
    const config = loadConfig({ env: {}, overrides: base })
    const admin = await TopicAdmin.connect(config.kafka)
    await admin.apply()
    await admin[Symbol.asyncDispose]()
    writeFileSync(join(folder, 'config.json'), JSON.stringify(base))
    writeFileSync(join(folder, 'one.pdf'), generatedPdf(1, 1))
    const list = join(folder, 'list.jsonl')
    writeFileSync(list, Array.from({ length: entries }, (_, i) => JSON.stringify({ path: 'one.pdf', name: `entry-${i}.pdf`, id: `entry-${i}` })).join('\n'))
    const start = (script, args) => {
      const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
      child.stdout.resume()
      children.push(child)
      return child
    }
    const run = () => start(file('../dist/bundle/cli.js'), ['backfill', 'run', list, '--run', 'bench', '--in-place', '--config', join(folder, 'config.json')])
    start(file('./workers/committing-reader.mjs'), [JSON.stringify(config.kafka), String(entryMs)])
    const record = new BackfillRecord(await openStore(config.store), 'bench')
    let child = run()
    let ended = false
    child.on('exit', () => (ended = true))
    const samples = []
    let killedAt
    const startedAt = performance.now()
    while (!ended) {
      await sleep(pollMs)
      const checkpoint = await record.checkpoint()
      if (!ended && checkpoint.entries > 0 && checkpoint.state === 'running')
        samples.push({ entries: checkpoint.entries, enumerated: checkpoint.enumerated, inFlight: checkpoint.open.length, mib: residentMib(child.pid) })
      if (killedAt === undefined && checkpoint.entries > entries / 2) {
        child.removeAllListeners('exit')
        const gone = new Promise((resolve) => child.on('exit', resolve))
        child.kill('SIGKILL')
        await gone
        killedAt = (await record.checkpoint()).entries
        await sleep(11 * pollMs)
        child = run()
        child.on('exit', () => (ended = true))
      }
    }
    const seconds = (performance.now() - startedAt) / 1000
    const end = await record.checkpoint()
    let sent = 0
    const seen = new Uint8Array(entries)
    for await (const { key } of readTopic(config.kafka, { topic: 'documents', lane: 'bulk', from: 'earliest', until: 'end' })) {
      sent++
      seen[Number(key.slice('entry-'.length))] = 1
    }
    const missing = seen.filter((each) => each === 0).length
    const twice = sent - (entries - missing)
    const quarter = (from, to) => samples.filter((each) => each.entries > from * entries && each.entries <= to * entries && !each.enumerated)
    const most = (list, key) => Math.round(Math.max(0, ...list.map((each) => each[key])))
    const rows = [
      [0, 0.25],
      [0.25, 0.5],
      [0.5, 0.75],
      [0.75, 1],
    ].map(([from, to]) => {
      const part = quarter(from, to)
      const mean = part.reduce((sum, each) => sum + each.inFlight, 0) / Math.max(1, part.length)
      return {
        entries: `${from * 100} to ${to * 100} %`,
        'memory, most MiB': most(part, 'mib'),
        'in flight, mean': Math.round(mean),
        'in flight, most': most(part, 'inFlight'),
      }
    })
    const mostFlying = Math.max(...rows.map((row) => row['in flight, most']))
    if (missing > 0 || twice > checkpointEntries || end.state !== 'done') throw new Error(`missing ${missing}, twice ${twice}, ${end.state}`)
    report({
      name: 'backfill',
      title: 'A backfill of many entries, killed on the way',
      conditions: {
        ...started,
        broker: kafka.from,
        entries,
        checkpointEntries,
        targetPages,
        workers: `one process that waits ${entryMs} ms an entry, two at once, commits and says that the document has ended`,
      },
      tables: [{ heading: 'The process that enumerates', rows }],
      notes: [
        `Killed with SIGKILL behind entry ${killedAt} of its checkpoint and started again: ${twice} entries were sent twice (at most ${checkpointEntries} may), ${missing} never.`,
        `${Math.round(entries / seconds)} entries a second over all, the wait after the kill included; every entry hashes its file and looks into the store.`,
        mostFlying < targetPages / 2
          ? `Not shown: being ahead by the target. At most ${mostFlying} of ${targetPages} were in flight, as these workers finish entries faster than they are enumerated.`
          : `Up to ${mostFlying} of ${targetPages} were in flight.`,
      ],
      ratio: `memory in the last quarter / in the first: ${(rows[3]['memory, most MiB'] / rows[0]['memory, most MiB']).toFixed(2)}; sent twice / checkpoint interval: ${(twice / checkpointEntries).toFixed(2)}`,
      data: { rows, killedAt, twice, missing, seconds, samples: samples.filter((_, i) => i % 10 === 0) },
      save,
    })
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await kafka.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
