import { Command, InvalidArgumentError } from 'commander'
import { documentArgument } from './document-argument.ts'

export interface StatusFlags {
  readonly document?: string
  readonly run?: string
  readonly scan: number
  readonly limit: number
  readonly config?: string
  readonly json?: boolean
}

export function statusCommand(): Command {
  return new Command('status')
    .description('Where documents stand and how far each stage is behind, from the topics and the store alone.')
    .option('--document <id>', `this document, every revision, its pages by stage: ${documentArgument}`)
    .option('--run <id>', 'this backfill: what became of its entries')
    .option('--scan <n>', 'revisions of documents that are looked at in the store, in the order of their ids', scanOption, 100_000)
    .option('--limit <n>', 'documents under way or unfinished that are listed, at most 1000', limitOption, 20)
    .option('-c, --config <file>', 'configuration (JSON); see docs/config.md')
    .option('--json', 'print JSON lines')
    .addHelpText(
      'after',
      `
Examples:
  pagestream status
  pagestream status --document 7d1f0c3a9b52 --json
  pagestream status --run archive-2026

The answer is the same on every machine.
Exit codes: 0 found, 1 no such document or no broker, 2 usage, configuration or a refusal.`,
    )
    .action(async (flags: StatusFlags) => {
      const { runStatus } = await import('./run-status.ts')
      process.exitCode = await runStatus(flags)
    })
}

function scanOption(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('expected a whole number')
  return Number(text)
}

function limitOption(text: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) > 1000) throw new InvalidArgumentError('expected 0 to 1000')
  return Number(text)
}
