import { Command, Option } from 'commander'
import { type FailureClass, failureClasses } from '../schema/failure.ts'
import { type StageName, stageNames } from '../schema/stage.ts'
import { parseTime } from './parse-time.ts'

export interface DlqFlags {
  readonly class?: FailureClass
  readonly stage?: StageName
  readonly since?: number
  readonly document?: string
  readonly all?: boolean
  readonly again?: boolean
  readonly dryRun?: boolean
  readonly config?: string
  readonly json?: boolean
}

/** Commands over the dead letters. */
export function dlqCommand(): Command {
  const dlq = new Command('dlq').description('Dead letters: what failed for good, and how to send it again once its cause is gone.').addHelpText(
    'after',
    `
Examples:
  pagestream dlq list --since 2h --class input
  pagestream dlq show 3f9a
  pagestream dlq replay --stage page-render --dry-run
  pagestream dlq replay 3f9a

docs/operations.md tells what each class asks for.`,
  )
  const sub = (name: 'list' | 'show' | 'replay', description: string, example: string) =>
    dlq
      .command(name)
      .description(description)
      .option('-c, --config <file>', 'configuration (JSON); see docs/config.md')
      .option('--json', 'print JSON lines')
      .addHelpText('after', `\nExample:\n  pagestream dlq ${example}`)
  const filtered = (command: Command) =>
    command
      .addOption(new Option('--class <class>', 'of this class of failure').choices([...failureClasses]))
      .addOption(new Option('--stage <stage>', 'of the stage that failed').choices([...stageNames]))
      .option('--since <when>', 'written since a time, or 30m, 2h, 7d ago', (text) => parseTime(text))
      .option('--document <id>', 'of this document')
  const run = (name: 'list' | 'show' | 'replay') => async (ids: string[], flags: DlqFlags) => {
    const { runDlq } = await import('./run-dlq.ts')
    process.exitCode = await runDlq(name, ids, flags)
  }
  filtered(sub('list', 'One line a letter.', 'list --class input --json')).action((flags: DlqFlags) => run('list')([], flags))
  sub('show', 'The whole letter, with its record.', 'show 3f9a').argument('<id...>', 'ids of letters, or how they begin').action(run('show'))
  filtered(sub('replay', 'Send the records of letters to the topic of the stage that failed.', 'replay --document 7d1f --dry-run'))
    .argument('[id...]', 'ids of letters, or how they begin')
    .option('--all', 'every letter; without it, at least one filter is asked for')
    .option('--again', 'also those that were replayed before')
    .option('--dry-run', 'only say what would be sent')
    .action(run('replay'))
  return dlq
}
