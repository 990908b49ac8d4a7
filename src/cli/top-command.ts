import { Command, InvalidArgumentError } from 'commander'

export interface TopFlags {
  readonly workers: string[]
  /** Seconds. */
  readonly every: number
  readonly once?: boolean
  readonly json?: boolean
}

export function topCommand(): Command {
  return new Command('top')
    .description('Watch a set of workers by their metrics: pages and tokens a second, windows, lag, slots.')
    .option('-w, --workers <list>', 'comma-separated: host:port, http://host:port, host:9400-9407 (a port each), dns:name:port (all its addresses)', listOf, [
      '127.0.0.1:9464',
    ])
    .option('--every <seconds>', 'how often they are asked', everyOption, 2)
    .option('--once', 'look once and end; so it is where the output is no terminal, without --json')
    .option('--json', 'print a line of JSON a look')
    .addHelpText(
      'after',
      `
Examples:
  pagestream top
  pagestream top --workers 127.0.0.1:9400-9407
  pagestream top --workers dns:pagestream-reader.documents.svc:9464 --once

Workers must have been started with --port. One that goes away is shown as away, and comes back by itself.
Exit codes: 0 told to end, or some worker answered, 1 none did (--once), 2 usage.`,
    )
    .action(async (flags: TopFlags) => {
      const { runTop } = await import('./run-top.ts')
      process.exitCode = await runTop(flags)
    })
}

const listOf = (text: string): string[] => text.split(',').filter((part) => part.trim() !== '')

function everyOption(text: string): number {
  const seconds = Number(text)
  if (!(seconds >= 0.5 && seconds <= 3600)) throw new InvalidArgumentError('expected 0.5 to 3600 seconds')
  return seconds
}
