import { Command } from 'commander'

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Look at this machine: Node, processor, memory, GPUs, models, engines and servers of models, store.')
    .option('-c, --config <file>', 'configuration (JSON)')
    .option('-o, --out <dir>', 'output folder to try', '.')
    .option('--json', 'print JSON lines')
    .addHelpText(
      'after',
      `
Examples:
  pagestream doctor
  pagestream doctor --out results --json
  pagestream doctor --config worker.json          asks the server of vlm.engine, too

Exit codes: 0 everything needed is there, 1 something needed is missing, 2 usage or configuration.`,
    )
    .action(async (flags: { config?: string; out: string; json?: boolean }) => {
      const { runDoctor } = await import('./run-doctor.ts')
      process.exitCode = await runDoctor(flags)
    })
}
