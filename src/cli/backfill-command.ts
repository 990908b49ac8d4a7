import { Command, InvalidArgumentError, Option } from 'commander'
import { type ReprocessMode, reprocessModes } from '../schema/backfill.ts'
import { parseTime } from './parse-time.ts'

export interface BackfillFlags {
  readonly run?: string
  readonly since?: number
  readonly until?: number
  readonly reprocess?: ReprocessMode
  readonly rate?: number
  readonly share: number
  readonly inPlace?: boolean
  readonly problems?: boolean
  readonly sample: number
  readonly seed: number
  readonly config?: string
  readonly json?: boolean
}

/** Commands that read whole archives. */
export function backfillCommand(): Command {
  const backfill = new Command('backfill')
    .description('Read an archive in the bulk lane: folder, bucket, manifest, or what was submitted between two times.')
    .addHelpText(
      'after',
      `
Examples:
  pagestream backfill plan /srv/archive --sample 50
  pagestream backfill run /srv/archive --run archive-2026
  pagestream backfill run s3://scans/2025 --in-place
  pagestream backfill run list.jsonl --rate 20 --reprocess failed
  pagestream backfill run --since 7d
  pagestream backfill pause archive-2026

A run goes on where it was: start it again with its id, or resume it, on any machine that reaches the archive and the store.`,
    )
  const sub = (name: string, description: string) =>
    backfill
      .command(name)
      .description(description)
      .option('-c, --config <file>', 'configuration (JSON); see docs/config.md')
      .option('--json', 'print JSON lines')
  const archive = (command: Command) =>
    command
      .argument('[archive]', 'a folder; s3://bucket/prefix, which inputs.buckets must list; or a manifest: one path a line, or JSON with path, name and id')
      .option('--since <when>', 'instead of an archive: documents submitted to the live lane since a time, or 2h, 7d ago', (text) => parseTime(text))
      .option('--until <when>', '… until a time', (text) => parseTime(text))
  archive(sub('plan', 'Estimate documents, pages, bytes and hours from a sample that is read on this machine.'))
    .option('--sample <n>', 'entries to read', positive, 20)
    .option('--seed <n>', 'another seed, another sample', positive, 1)
    .action((path: string | undefined, flags: BackfillFlags) => start('plan', path, flags))
  archive(sub('run', 'Send the archive to the workers of the bulk lane and wait for its end.'))
    .option('--run <id>', 'id of the run; one that exists goes on')
    .addOption(new Option('--reprocess <what>', 'only what is complete with other models or settings, what failed, or all anew').choices([...reprocessModes]))
    .option('--rate <n>', 'documents a second at most', above)
    .option('--share <part>', 'part of the target in flight that this run may fill, 0 to 1', part, 1)
    .option('--in-place', 'workers read the files where they lie (inputs.folders, inputs.buckets) instead of from the store')
    .action((path: string | undefined, flags: BackfillFlags) => start('run', path, flags))
  const byId = {
    status: 'Where a run is.',
    pause: 'Send nothing more until it is resumed; what is in flight is finished.',
    resume: 'Go on; here, when no process works on it.',
    cancel: 'Send nothing more; what is in flight is finished.',
  } as const
  for (const name of ['status', 'pause', 'resume', 'cancel'] as const) {
    const command = sub(name, byId[name]).argument('<run>', 'id of the run')
    if (name === 'status') command.option('--problems', 'list what was refused, and the documents that are partial, failed or lost')
    command.action((run: string, flags: BackfillFlags) => start(name, run, flags))
  }
  return backfill
}

async function start(what: 'plan' | 'run' | 'status' | 'pause' | 'resume' | 'cancel', name: string | undefined, flags: BackfillFlags): Promise<void> {
  const { runBackfill } = await import('./run-backfill.ts')
  process.exitCode = await runBackfill(what, name, flags)
}

function above(text: string): number {
  const value = Number(text)
  if (!(value > 0 && Number.isFinite(value))) throw new InvalidArgumentError('expected a number above 0')
  return value
}

function positive(text: string): number {
  const value = above(text)
  if (!Number.isInteger(value) || value > 10_000) throw new InvalidArgumentError('expected a whole number from 1 to 10000')
  return value
}

function part(text: string): number {
  const value = above(text)
  if (value > 1) throw new InvalidArgumentError('expected a number above 0, at most 1')
  return value
}
