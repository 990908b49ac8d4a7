import { Command, InvalidArgumentError, Option } from 'commander'
import { serverKinds } from '../runtime/vlm/engines/managed/server-plan.ts'
import { vlmFamilies } from '../runtime/vlm/page-reader.ts'

export interface EngineFlags {
  readonly engine: (typeof serverKinds)[number] | 'auto'
  readonly family?: (typeof vlmFamilies)[number]
  readonly model?: string
  readonly projector?: string
  readonly host: string
  readonly port?: number
  readonly slots?: number
  readonly device?: string
  readonly config?: string
}

export function engineCommand(): Command {
  return new Command('engine').description('Servers of vision-language models.').addCommand(serveCommand())
}

function serveCommand(): Command {
  return new Command('serve')
    .description('Start an inference server that is installed here, with what the family of the model needs, and mind it until told to stop.')
    .addOption(new Option('-e, --engine <kind>', 'which server; auto: the first that fits').choices(['auto', ...serverKinds]).default('auto'))
    .addOption(new Option('-f, --family <family>', 'family of the model (vlm.family)').choices(vlmFamilies))
    .option('-m, --model <model>', 'path or name of the model; a GGUF file for llama-server (vlm.engine.model)')
    .option('--projector <file>', 'the projector (mmproj) of a GGUF file (vlm.engine.projector)')
    .option('--host <address>', 'where it listens', '127.0.0.1')
    .option('-p, --port <number>', 'where it listens; its usual port by default, 0 for a free one', wholeNumber)
    .option('--slots <number>', 'questions at once (vlm.engine.slots)', wholeNumber)
    .option('-d, --device <device>', 'cpu, cuda:N, GPU-…, MIG-… or auto (device)')
    .option('-c, --config <file>', 'configuration (JSON); see docs/config.md')
    .argument('[arguments...]', 'behind --: further flags of the server, which win over ours')
    .addHelpText(
      'after',
      `
Examples:
  pagestream engine serve --family mineru2.5 --model /models/MinerU2.5-Pro
  pagestream engine serve --engine llama-server --family unlimited-ocr --model u.gguf --projector mmproj-u.gguf --device cuda:1
  pagestream engine serve --engine vllm --family mineru2.5 --model /models/m --port 8001 -- --gpu-memory-utilization 0.3

The log of the server goes to standard error, and a line "pagestream engine: <kind> is ready at <address>" once it answers. One that falls is started again, at most 5 times
within 10 minutes. SIGTERM or Ctrl-C drains: questions in hand are finished within worker.drainMs, where the server tells of them; then it is stopped with
all that it has started. A second one ends at once.
Exit codes: 0 stopped, 1 it could not be kept running, 2 usage or configuration, nothing that fits is installed or it did not start, 130 ended at once.`,
    )
    .action(async (further: string[], flags: EngineFlags) => {
      const { runEngineServe } = await import('./run-engine-serve.ts')
      process.exitCode = await runEngineServe(further, flags)
    })
}

function wholeNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('a whole number up to 65535 is expected')
  return Number(text)
}
