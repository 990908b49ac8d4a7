import { Command, InvalidArgumentError, Option } from 'commander'
import { type ReprocessMode, reprocessModes } from '../schema/backfill.ts'
import { endProcess } from './end-process.ts'
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
  readonly tokensPerPage?: number
  readonly tokensPerSecond?: number
  readonly port?: number
  readonly config?: string
  readonly json?: boolean
}

/** Examples and exit codes of each command. */
const help = {
  plan: {
    examples: ['plan /srv/archive --sample 50', 'plan s3://scans/2025 --tokens-per-page 900 --tokens-per-second 2500 --json'],
    codes: '0 estimated, 1 a bucket or model does not answer, 2 usage, configuration, or no such archive.',
  },
  run: {
    examples: ['run /srv/archive --run archive-2026', 'run s3://scans/2025 --in-place', 'run list.jsonl --rate 20 --reprocess failed', 'run --since 7d'],
    codes:
      '0 every document is complete, 1 some are not or were refused, or no broker, 2 usage, configuration, a refusal, or another process works on it, 130 interrupted.',
  },
  status: { examples: ['status archive-2026', 'status archive-2026 --problems --json'], codes: '0 told, 1 the store does not answer, 2 no such run.' },
  pause: { examples: ['pause archive-2026'], codes: '0 noted, 1 the store does not answer, 2 no such run, or one that has ended.' },
  resume: {
    examples: ['resume archive-2026'],
    codes:
      '0 every document is complete, or a process works on it and was told, 1 some are not or were refused, or no broker, 2 no such run, or one that has ended, 130 interrupted.',
  },
  cancel: { examples: ['cancel archive-2026'], codes: '0 noted, 1 the store does not answer, 2 no such run, or one that has ended.' },
} as const

type What = keyof typeof help

const helpOf = (what: What): string => {
  const { examples, codes } = help[what]
  return `\n${examples.length > 1 ? 'Examples' : 'Example'}:\n${examples.map((each) => `  pagestream backfill ${each}\n`).join('')}\nExit codes: ${codes}`
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
  pagestream backfill pause archive-2026

Each command has examples and exit codes of its own: pagestream backfill run --help
A run goes on where it was: start it again with its id, or resume it, on any machine that reaches the archive and the store.`,
    )
  const sub = (name: What, description: string) =>
    backfill
      .command(name)
      .description(description)
      .option('-c, --config <file>', 'configuration (JSON); see docs/config.md')
      .option('--json', 'print JSON lines')
      .addHelpText('after', helpOf(name))
  const archive = (command: Command) =>
    command
      .argument('[archive]', 'a folder; s3://bucket/prefix, which inputs.buckets must list; or a manifest: one path a line, or JSON with path, name and id')
      .option('--since <when>', 'instead of an archive: documents submitted to the live lane since a time, or 2h, 7d ago', (text) => parseTime(text))
      .option('--until <when>', '… until a time', (text) => parseTime(text))
  archive(sub('plan', 'Estimate documents, pages, bytes, hours, tokens and GPU-hours from a sample that is read on this machine.'))
    .option('--sample <n>', 'entries to read', positive, 20)
    .option('--tokens-per-page <n>', 'tokens that a page costs which needs a model, as you have measured it', above)
    .option('--tokens-per-second <n>', '… and how many one GPU makes in a second, all pages at once', above)
    .option('--seed <n>', 'another seed, another sample', positive, 1)
    .action((path: string | undefined, flags: BackfillFlags) => start('plan', path, flags))
  archive(sub('run', 'Send the archive to the workers of the bulk lane and wait for its end.'))
    .option('--run <id>', 'id of the run; one that exists goes on')
    .addOption(new Option('--reprocess <what>', 'only what is complete with other models or settings, what failed, or all anew').choices([...reprocessModes]))
    .option('--rate <n>', 'documents a second at most', above)
    .option('--share <part>', 'part of the target in flight that this run may fill, 0 to 1', part, 1)
    .addOption(portOption())
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
    if (name === 'resume') command.addOption(portOption())
    if (name === 'status') command.option('--problems', 'list what was refused, and the documents that are partial, failed or lost')
    command.action((run: string, flags: BackfillFlags) => start(name, run, flags))
  }
  return backfill
}

async function start(what: What, name: string | undefined, flags: BackfillFlags): Promise<void> {
  const { runBackfill } = await import('./run-backfill.ts')
  endProcess(await runBackfill(what, name, flags))
}

const portOption = () => new Option('-p, --port <number>', 'answers /live, /metrics and /status there; none by default').argParser(port)

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

function port(text: string): number {
  const value = above(text)
  if (!Number.isInteger(value) || value > 65_535) throw new InvalidArgumentError('expected a whole number from 1 to 65535')
  return value
}

function part(text: string): number {
  const value = above(text)
  if (value > 1) throw new InvalidArgumentError('expected a number above 0, at most 1')
  return value
}
