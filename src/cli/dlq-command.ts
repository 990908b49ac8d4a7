import { Command, Option } from 'commander'
import { type FailureClass, failureClasses } from '../schema/failure.ts'
import { type StageName, stageNames } from '../schema/stage.ts'
import { documentArgument } from './document-argument.ts'
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

const exitCodes = 'Exit codes: 0 all good, 1 no such letter or document, no broker, or a letter that cannot be replayed, 2 usage, configuration or a refusal.'

/** Commands over the dead letters. */
export function dlqCommand(): Command {
  const dlq = new Command('dlq').description('Dead letters: what failed for good, and how to send it again once its cause is gone.').addHelpText(
    'after',
    `
Examples:
  pagestream dlq list --since 2h --class input
  pagestream dlq show 3f9a61c05e7d
  pagestream dlq replay --stage page-render --dry-run
  pagestream dlq replay 3f9a61c05e7d

docs/operations.md tells what each class asks for.
${exitCodes}`,
  )
  const sub = (name: 'list' | 'show' | 'replay', description: string, example: string) =>
    dlq
      .command(name)
      .description(description)
      .option('--document <id>', `of this document: ${documentArgument}`)
      .option('-c, --config <file>', 'configuration (JSON); see docs/config.md')
      .option('--json', 'print JSON lines')
      .addHelpText('after', `\nExample:\n  pagestream dlq ${example}\n\n${exitCodes}`)
  const filtered = (command: Command) =>
    command
      .addOption(new Option('--class <class>', 'of this class of failure').choices([...failureClasses]))
      .addOption(new Option('--stage <stage>', 'of the stage that failed').choices([...stageNames]))
      .option('--since <when>', 'written since a time, or 30m, 2h, 7d ago', (text) => parseTime(text))
  const run = (name: 'list' | 'show' | 'replay') => async (ids: string[], flags: DlqFlags) => {
    const { runDlq } = await import('./run-dlq.ts')
    process.exitCode = await runDlq(name, ids, flags)
  }
  filtered(sub('list', 'One line a letter.', 'list --class input --json')).action((flags: DlqFlags) => run('list')([], flags))
  sub('show', 'The whole letter, with its record.', 'show 3f9a61c05e7d').argument('[id...]', 'ids of letters, or how they begin').action(run('show'))
  filtered(sub('replay', 'Send the records of letters to the topic of the stage that failed.', 'replay --document 7d1f0c3a9b52 --dry-run'))
    .argument('[id...]', 'ids of letters, or how they begin')
    .option('--all', 'every letter; without it, at least one filter is asked for')
    .option('--again', 'also those that were replayed before')
    .option('--dry-run', 'only say what would be sent')
    .action(run('replay'))
  return dlq
}
