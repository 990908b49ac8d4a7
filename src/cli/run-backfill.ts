import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Backfill } from '../backfill/backfill.ts'
import { BackfillRecord } from '../backfill/backfill-record.ts'
import { openArchive } from '../backfill/open-archive.ts'
import { planBackfill } from '../backfill/plan.ts'
import type { Config } from '../config/config.ts'
import { loadConfig } from '../config/load-config.ts'
import { KafkaBus } from '../consumers/kafka/kafka-bus.ts'
import { isRemote } from '../inputs/reference.ts'
import type { BackfillSpec } from '../schema/backfill.ts'
import { PagestreamError } from '../schema/failure.ts'
import type { BlobStore } from '../store/blob-store.ts'
import { openStore } from '../store/open-store.ts'
import { patientStore } from '../store/patient-store.ts'
import type { Log } from '../telemetry/log/log.ts'
import { openLog } from '../telemetry/log/open-log.ts'
import { RunServer } from '../telemetry/run-server.ts'
import { openTracer } from '../telemetry/tracing/open-tracer.ts'
import type { BackfillFlags } from './backfill-command.ts'
import { backfillLine, planLines, reportOf } from './backfill-report.ts'
import { measureSample } from './measure-sample.ts'
import { print } from './print.ts'
import { printReport, printRun } from './print-run.ts'
import { logFailure } from './report-failure.ts'
import { stopSignal } from './stop-signal.ts'
import { usageError } from './usage-error.ts'

const redrawMs = 500
/** Time to take leave of the brokers after a signal. */
const lastWordsMs = 5000

/** Runs `pagestream backfill`; answers with the exit code. */
export async function runBackfill(
  what: 'plan' | 'run' | 'status' | 'pause' | 'resume' | 'cancel',
  name: string | undefined,
  flags: BackfillFlags,
): Promise<number> {
  const config = loadConfig({ file: flags.config })
  if (what === 'plan') return plan(config, name, flags)
  const store = patientStore(await openStore(config.store))
  if (what === 'run') return run(config, store, name, flags)
  if (what === 'status') return printRun(config, store, name ?? '', flags)
  const record = new BackfillRecord(store, name ?? '')
  const spec = await record.spec()
  const before = await record.checkpoint()
  const alive = await record.isHeard(config.backfill.pollMs)
  if (before.state === 'done' || before.state === 'cancelled') return usageError(`backfill ${what}: ${spec.run} is ${before.state}`)
  await record.ask(what === 'resume' ? 'run' : what)
  if (what === 'resume' && !alive) return work(config, store, spec, record, flags)
  if (what === 'cancel' && !alive) await record.save({ ...before, state: 'cancelled' })
  process.stderr.write(alive ? `${spec.run}: asked for\n` : `${spec.run}: noted; no process works on it\n`)
  return 0
}

async function run(config: Config, store: BlobStore, path: string | undefined, flags: BackfillFlags): Promise<number> {
  const id = flags.run ?? `backfill-${new Date().toISOString().slice(0, 10)}-${randomUUID().slice(0, 6)}`
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(id)) return usageError('backfill run: --run takes small letters, digits and hyphens, at most 64')
  const archive = await archiveOf(path, flags)
  if (!archive) return usageError('backfill run: name a folder, s3://bucket/prefix or a manifest, or --since')
  openArchive(archive, config) // a run of what is not allowed is none
  const record = new BackfillRecord(store, id)
  const { reprocess, rate, share, inPlace } = flags
  const spec = await record.create({
    ...{ run: id, archive, inPlace: inPlace === true, share, startedMs: Date.now() },
    ...(reprocess && { reprocess }),
    ...(rate !== undefined && { documentsPerSecond: rate }),
  })
  const asked = archive.kind === 'topic' ? spec.archive.kind === 'topic' : JSON.stringify(spec.archive) === JSON.stringify(archive)
  if (!asked) return usageError(`backfill run: ${id} is a run of another archive`)
  const before = await record.checkpoint()
  if (before.state === 'done' || before.state === 'cancelled') return usageError(`backfill run: ${id} is ${before.state}; a new run needs a new id`)
  await record.ask('run')
  return work(config, store, spec, record, flags)
}

async function work(config: Config, store: BlobStore, spec: BackfillSpec, record: BackfillRecord, flags: BackfillFlags): Promise<number> {
  const signal = stopSignal()
  using opened = await openLog(config.log, { component: 'backfill', write: (line) => process.stderr.write(`${line}\n`) })
  const { log } = opened
  try {
    return await workOn({ config, store, spec, record, flags }, signal, log)
  } catch (error) {
    return logFailure(log, error)
  }
}

interface Work {
  readonly config: Config
  readonly store: BlobStore
  readonly spec: BackfillSpec
  readonly record: BackfillRecord
  readonly flags: BackfillFlags
}

async function workOn({ config, store, spec, record, flags }: Work, signal: AbortSignal, log: Log): Promise<number> {
  // First of all: whoever owns the run and then finds no broker would keep others out of it for a while.
  const bus = await KafkaBus.connect(config.kafka, 'bulk', { topics: ['documents', 'documents.assembled'] })
  const tracer = await openTracer()
  let timer: NodeJS.Timeout | undefined
  let server: RunServer | undefined
  try {
    await record.acquire(config.backfill.pollMs)
    const backfill = new Backfill({ config, store, bus, record, spec, signal, tracer, checkpoint: await record.checkpoint() })
    log({ level: 'info', text: `run ${spec.run}` })
    if (flags.port)
      server = await RunServer.listen(
        config.worker.host,
        flags.port,
        () => backfill.checkpoint,
        () => reportOf(spec, backfill.checkpoint),
      )
    const terminal = process.stderr.isTTY === true && config.log.format === 'text'
    timer = setInterval(() => {
      if (terminal) process.stderr.write(`\r\u001b[K${backfillLine(backfill.checkpoint)}`)
      else if (flags.json) print(JSON.stringify({ event: 'progress', ...reportOf(spec, backfill.checkpoint) }))
    }, redrawMs)
    const end = await backfill.run()
    clearInterval(timer)
    if (terminal) process.stderr.write('\r\u001b[K')
    printReport(spec, end, flags)
    if (end.state === 'stopped') return 130
    return end.ended.failed + end.ended.partial + end.lost > 0 || Object.keys(end.refused).length > 0 ? 1 : 0
  } finally {
    clearInterval(timer)
    await server?.[Symbol.asyncDispose]()
    await tracer[Symbol.asyncDispose]()
    const closed = bus.close()
    // Brokers that are away would be waited for: what they have not answered is not in the checkpoint and is sent again.
    await (signal.aborted ? Promise.race([closed, sleep(lastWordsMs)]) : closed)
  }
}

async function plan(config: Config, path: string | undefined, flags: BackfillFlags): Promise<number> {
  const archive = await archiveOf(path, flags)
  if (!archive || archive.kind === 'topic') return usageError('backfill plan: name a folder, s3://bucket/prefix or a manifest')
  const found = await planBackfill(openArchive(archive, config), flags, (sample) => measureSample(sample, config))
  const assumes = 'one machine like this one, this configuration, documents like the sample'
  if (flags.json) print(JSON.stringify({ ...found, seed: flags.seed, assumes }))
  else for (const line of planLines(found, assumes)) print(line)
  return 0
}

async function archiveOf(path: string | undefined, { since, until }: BackfillFlags): Promise<BackfillSpec['archive'] | undefined> {
  if (path === undefined) return since === undefined ? undefined : { kind: 'topic', fromMs: since, untilMs: until ?? Date.now() }
  if (path.startsWith('s3://')) return { kind: 'bucket', url: path }
  if (isRemote(path)) return undefined
  const found = await stat(path).catch((cause) => {
    throw new PagestreamError('document-not-found', `reading ${path}: there is no such archive`, { cause })
  })
  return { kind: found.isDirectory() ? 'folder' : 'manifest', path: resolve(path) }
}
