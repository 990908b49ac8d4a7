import { loadConfig } from '../config/load-config.ts'
import { prepareDevice } from '../runtime/devices/prepare-device.ts'
import { PagestreamError } from '../schema/failure.ts'
import { lanes } from '../schema/lane.ts'
import { type StageName, stageNames } from '../schema/stage.ts'
import type { Log } from '../telemetry/log/log.ts'
import { openLog } from '../telemetry/log/open-log.ts'
import { logFailure } from './report-failure.ts'
import { usageError } from './usage-error.ts'
import type { WorkerFlags } from './worker-command.ts'

/** Runs `pagestream worker` until a signal or a fault ends it, and with it the process; answers with the exit code of a wrong flag. */
export async function runWorker(flags: WorkerFlags): Promise<number> {
  const stages = stagesOf(flags.stage)
  if (!stages) return usageError(`--stage: expected all, or some of ${stageNames.join(', ')}`)
  const config = loadConfig({ file: flags.config, overrides: { worker: { port: flags.port }, device: flags.device } })
  await prepareDevice(config)
  const { Worker } = await import('../worker/worker.ts') // after the device is chosen: what it loads looks at the devices once
  let end: (code: number) => void = () => {}
  const ended = new Promise<number>((resolve) => {
    end = resolve
  })
  const opened = await openLog(config.log, { component: 'worker', write: (line) => process.stderr.write(`${line}\n`) })
  const { log } = opened
  process.once('disconnect', () => end(0)) // the supervisor is gone, and nobody else would end this process
  const onFatal = (error: Error) => {
    if (error instanceof PagestreamError) return end(logFailure(log, error))
    log({ level: 'error', text: error.message })
    end(1)
  }
  const worker = new Worker({ config, stages, lanes: flags.lane === 'both' ? lanes : [flags.lane], onFatal, log })
  onSignal(log, () => end(0))
  const started = worker.start().then(
    () => {
      log({ level: 'info', text: `ready: ${[...stages].join(', ')} (${flags.lane === 'both' ? lanes.join(', ') : flags.lane})` })
      return ended
    },
    (error: unknown) => logFailure(log, error),
  )
  const code = await Promise.race([started, ended])
  setTimeout(() => {
    log({ level: 'error', text: 'the drain took longer than worker.drainMs; what was in hand comes again' })
    opened[Symbol.dispose]()
    process.exit(code === 0 ? 3 : code)
  }, config.worker.drainMs)
  await worker[Symbol.asyncDispose]()
  opened[Symbol.dispose]()
  process.exit(code) // a client that still looks for its broker would keep the process, and its places in the groups
}

function stagesOf(names: readonly string[]): Set<StageName> | undefined {
  if (names.includes('all')) return new Set(stageNames)
  const stages = names.filter((name): name is StageName => (stageNames as readonly string[]).includes(name))
  return stages.length === names.length && stages.length > 0 ? new Set(stages) : undefined
}

/** The first signal drains, the second ends at once. */
function onSignal(log: Log, drain: () => void): void {
  let told = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (told) process.exit(130)
      told = true
      log({ level: 'info', text: 'draining; a second signal ends at once' })
      drain()
    })
  }
}
