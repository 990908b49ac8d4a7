import { Argument, Command, InvalidArgumentError } from 'commander'
import { documentArgument } from './document-argument.ts'
import { endProcess } from './end-process.ts'
import { parseTime } from './parse-time.ts'

export const tailed = ['blocks', 'documents', 'chunks', 'dead-letters'] as const
export type Tailed = (typeof tailed)[number]

export interface TailFlags {
  readonly document?: string
  readonly from: 'earliest' | 'latest' | number
  readonly untilIdle?: number
  readonly config?: string
  readonly json?: boolean
}

export function tailCommand(): Command {
  return new Command('tail')
    .description('Print what leaves the chain, as it comes. Nobody else gets less of it.')
    .addArgument(new Argument('<what>', 'which events').choices([...tailed]))
    .option('--document <id>', `of this document only: ${documentArgument}`)
    .option('--from <when>', 'earliest, latest, a time, or 30m, 2h, 7d ago', fromOption, 'latest')
    .option('--until-idle <ms>', 'end when nothing has come for so long', idleOption)
    .option('-c, --config <file>', 'configuration (JSON); see docs/config.md')
    .option('--json', 'print JSON lines: the whole events')
    .addHelpText(
      'after',
      `
Examples:
  pagestream tail blocks --document 7d1f0c3a9b52
  pagestream tail dead-letters --from 2h --json
  pagestream tail documents --from earliest --until-idle 2000

Exit codes: 0 idle, 1 no such document or no broker, 2 usage, configuration or a refusal, 130 interrupted.`,
    )
    .action(async (what: Tailed, flags: TailFlags) => {
      const { runTail } = await import('./run-tail.ts')
      endProcess(await runTail(what, flags))
    })
}

const fromOption = (text: string): TailFlags['from'] => (text === 'earliest' || text === 'latest' ? text : parseTime(text))

function idleOption(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected milliseconds')
  return Number(text)
}
