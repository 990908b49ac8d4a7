import { Command, Option } from 'commander'
import { lanes } from '../schema/lane.ts'
import { stageNames } from '../schema/stage.ts'

export interface WorkerFlags {
  readonly stage: string[]
  readonly lane: 'live' | 'bulk' | 'both'
  readonly config?: string
  readonly port?: number
  readonly device?: string
  readonly devices?: readonly string[]
}

const listOf = (text: string): string[] => text.split(',').map((part) => part.trim())

export function workerCommand(): Command {
  return new Command('worker')
    .description('Run stages of the chain over Kafka until told to stop.')
    .requiredOption('-s, --stage <list>', `comma-separated: ${stageNames.join(', ')}, or all`, listOf)
    .addOption(new Option('--lane <lane>', 'which lane it serves; live goes first').choices([...lanes, 'both']).default('both'))
    .option('-p, --port <number>', 'answers /live, /ready, /startup, /metrics and /status there; none by default (worker.port)', Number)
    .option('-d, --device <device>', 'cpu, cuda:N, GPU-…, MIG-… or auto: what models run on (device)')
    .option('--devices <list>', 'comma-separated: one worker process for each, minded by this one; ports count up from --port', listOf)
    .option('-c, --config <file>', 'configuration (JSON); see docs/config.md')
    .addHelpText(
      'after',
      `
Examples:
  pagestream worker --stage all
  PAGESTREAM_KAFKA__BROKERS=kafka:9092 pagestream worker --stage page-render,text-finder --config worker.json
  pagestream worker --stage layout,region-recognition --devices 0,1,2,3 --port 9400

SIGTERM or Ctrl-C drains: what is in hand is finished within worker.drainMs, offsets are committed, the groups are left. A second one ends at once.
With --devices, a worker that falls is started again, at most 5 times within 10 minutes; then all drain. The exit code is the highest of theirs.
Exit codes: 0 drained, 1 it could not go on, 2 usage or configuration, 3 the drain took too long, 130 ended at once.`,
    )
    .action(async (flags: WorkerFlags) => {
      if (flags.devices) {
        const { runSupervisor } = await import('./run-supervisor.ts')
        process.exitCode = await runSupervisor(flags, flags.devices)
      } else {
        const { runWorker } = await import('./run-worker.ts')
        process.exitCode = await runWorker(flags)
      }
    })
}
