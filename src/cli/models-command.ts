import { Command } from 'commander'

/** Flags of every subcommand. */
interface ModelsFlags {
  readonly config?: string
  readonly json?: boolean
}

const exitCodes = 'Exit codes: 0 all good, 1 a model that was asked for is missing, not whole or not to be fetched, 2 usage, configuration or an unknown id.'

export function modelsCommand(): Command {
  const models = new Command('models').description('The models that stages use: what there is, where it lies, whether it is whole.').addHelpText(
    'after',
    `
Examples:
  pagestream models list
  pagestream models fetch pp-ocrv6-small-rec
  pagestream models verify

${exitCodes}`,
  )
  const sub = (name: string, description: string, example: string) =>
    models
      .command(name)
      .description(description)
      .option('-c, --config <file>', 'configuration (JSON)')
      .option('--json', 'print JSON lines')
      .addHelpText('after', `\nExample:\n  ${example}\n\n${exitCodes}`)

  sub('list', 'List the models of the manifest and which of them are there.', 'pagestream models list --json').action(async (flags: ModelsFlags) => {
    const { listModels } = await import('./run-models.ts')
    process.exitCode = await listModels(flags)
  })
  sub('fetch', 'Download models to the cache folder; those of the configuration when none is named.', 'pagestream models fetch pp-ocrv6-small-rec')
    .argument('[id...]', 'ids as `models list` shows them')
    .action(async (ids: string[], flags: ModelsFlags) => {
      const { fetchModels } = await import('./run-models.ts')
      process.exitCode = await fetchModels(ids, flags)
    })
  sub('verify', 'Compare the models that are there with their checksums.', 'pagestream models verify pp-ocrv6-small-rec')
    .argument('[id...]', 'ids as `models list` shows them')
    .action(async (ids: string[], flags: ModelsFlags) => {
      const { verifyModels } = await import('./run-models.ts')
      process.exitCode = await verifyModels(ids, flags)
    })
  return models
}
