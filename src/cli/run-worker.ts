import { loadConfig } from '../config/load-config.ts'
import { prepareDevice } from '../runtime/devices/prepare-device.ts'
import { PagestreamError } from '../schema/failure.ts'
import { lanes } from '../schema/lane.ts'
import { type StageName, stageNames } from '../schema/stage.ts'
import { reportFailure } from './report-failure.ts'
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
  process.once('disconnect', () => end(0)) // the supervisor is gone, and nobody else would end this process
  const onFatal = (error: Error) => {
    if (error instanceof PagestreamError) return end(reportFailure(error))
    process.stderr.write(`pagestream worker: ${error.message}\n`)
    end(1)
  }
  const onNotice = (line: string) => {
    process.stderr.write(`pagestream worker: ${line}\n`)
  }
  const worker = new Worker({ config, stages, lanes: flags.lane === 'both' ? lanes : [flags.lane], onFatal, onNotice })
  onSignal(() => end(0))
  const started = worker.start().then(
    () => {
      process.stderr.write(`ready: ${[...stages].join(', ')} (${flags.lane === 'both' ? lanes.join(', ') : flags.lane})\n`)
      return ended
    },
    (error: unknown) => reportFailure(error),
  )
  const code = await Promise.race([started, ended])
  setTimeout(() => {
    process.stderr.write('pagestream worker: the drain took longer than worker.drainMs; what was in hand comes again\n')
    process.exit(code === 0 ? 3 : code)
  }, config.worker.drainMs)
  await worker[Symbol.asyncDispose]()
  process.exit(code) // a client that still looks for its broker would keep the process, and its places in the groups
}

function stagesOf(names: readonly string[]): Set<StageName> | undefined {
  if (names.includes('all')) return new Set(stageNames)
  const stages = names.filter((name): name is StageName => (stageNames as readonly string[]).includes(name))
  return stages.length === names.length && stages.length > 0 ? new Set(stages) : undefined
}

/** The first signal drains, the second ends at once. */
function onSignal(drain: () => void): void {
  let told = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (told) process.exit(130)
      told = true
      process.stderr.write('draining; a second signal ends at once\n')
      drain()
    })
  }
}
