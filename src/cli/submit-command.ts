import { Command, Option } from 'commander'
import { lanes } from '../schema/lane.ts'
import { endProcess } from './end-process.ts'

export interface SubmitFlags {
  readonly lane: 'live' | 'bulk'
  readonly wait?: boolean
  readonly follow?: boolean
  readonly byReference?: boolean
  readonly config?: string
  readonly json?: boolean
}

export function submitCommand(): Command {
  return new Command('submit')
    .description('Put documents into the store and on the topic that workers read.')
    .argument('<input...>', 'files, folders, globs, s3://bucket/key, https://host/path, or - for standard input')
    .addOption(new Option('--lane <lane>', 'live goes first, bulk is sure of a share').choices([...lanes]).default('live'))
    .option('--wait', 'follow to the end of every document')
    .option('--follow', 'print blocks as they come; implies --wait')
    .option('--by-reference', 'leave what s3:// and https:// name where it is: workers fetch it there')
    .option('-c, --config <file>', 'configuration (JSON); see docs/config.md')
    .option('--json', 'print JSON lines')
    .addHelpText(
      'after',
      `
Examples:
  pagestream submit report.pdf
  pagestream submit archive/ --lane bulk --wait
  pagestream submit scan.png --follow
  pagestream submit s3://archive/2024/report.pdf https://files.example.com/a.pdf

Buckets and hosts must stand in inputs.buckets and inputs.hosts of the configuration.
Prints the id and revision of every document; one that is complete in the store with the same configuration is not read again.
Exit codes: 0 all good, 1 some failed, 2 usage or configuration, 130 interrupted.`,
    )
    .action(async (inputs: string[], flags: SubmitFlags) => {
      const { runSubmit } = await import('./run-submit.ts')
      endProcess(await runSubmit(inputs, flags))
    })
}
