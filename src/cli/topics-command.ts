import { Command } from 'commander'

export interface TopicsFlags {
  readonly config?: string
  readonly json?: boolean
}

const exitCodes = 'Exit codes: 0 done, whether or not there is something to change, 1 no broker, 2 usage, configuration or a refusal.'

export function topicsCommand(): Command {
  const topics = new Command('topics').description('The topics of the chain on the cluster: what is wanted, what is there.').addHelpText(
    'after',
    `
Examples:
  pagestream topics plan
  pagestream topics apply --config worker.json
  pagestream topics describe --json

${exitCodes}`,
  )
  const sub = (name: 'plan' | 'apply' | 'describe', description: string) =>
    topics
      .command(name)
      .description(description)
      .option('-c, --config <file>', 'configuration (JSON)')
      .option('--json', 'print JSON lines')
      .addHelpText('after', `\nExample:\n  pagestream topics ${name} --json\n\n${exitCodes}`)
      .action(async (flags: TopicsFlags) => {
        const { runTopics } = await import('./run-topics.ts')
        process.exitCode = await runTopics(name, flags)
      })
  sub('plan', 'Print the difference between the configuration and the cluster.')
  sub('apply', 'Create and change topics until there is none. Never shrinks or deletes; again, it changes nothing.')
  sub('describe', 'List the topics that are there, by name.')
  return topics
}
