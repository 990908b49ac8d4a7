import { Command, InvalidArgumentError } from 'commander'

export interface StoreGcFlags {
  readonly olderThan: number
  readonly dryRun?: boolean
  readonly config?: string
  readonly json?: boolean
}

/** Commands over the store. */
export function storeCommand(): Command {
  const store = new Command('store').description('The store that workers share.')
  store
    .command('gc')
    .description('Delete what nobody needs any more: values of pages on their way, page results of documents that are done, drafts of killed writers.')
    .requiredOption('--older-than <days>', 'only what was written longer ago; more than a document may wait in a topic', days)
    .option('--dry-run', 'only say how much it is')
    .option('-c, --config <file>', 'configuration (JSON); see docs/config.md')
    .option('--json', 'print JSON lines')
    .addHelpText(
      'after',
      `
Examples:
  pagestream store gc --older-than 14 --dry-run
  pagestream store gc --older-than 14 --json

For a bucket it prints the expiry rules that do the same for tmp/.
Exit codes: 0 done, 1 the store does not answer, 2 usage, configuration or a refusal.`,
    )
    .action(async (flags: StoreGcFlags) => {
      const { runStoreGc } = await import('./run-store-gc.ts')
      process.exitCode = await runStoreGc(flags)
    })
  store
    .command('check')
    .description('Write, read, list and delete a few objects: whether the store keeps to what workers build on.')
    .option('-c, --config <file>', 'configuration (JSON); see docs/config.md')
    .option('--json', 'print JSON lines')
    .addHelpText(
      'after',
      `
Example:
  pagestream store check

Exit codes: 0 it does, 1 the store does not answer, 2 usage, configuration, a refusal, or a store that does not.`,
    )
    .action(async (flags: { config?: string; json?: boolean }) => {
      const { runStoreCheck } = await import('./run-store-check.ts')
      process.exitCode = await runStoreCheck(flags)
    })
  return store
}

function days(text: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('expected 1 to 9999 days')
  return Number(text)
}
