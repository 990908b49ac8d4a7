import { Command, type CommanderError } from 'commander'
import { packageVersion } from '../config/package-root.ts'
import { backfillCommand } from './backfill-command.ts'
import { dlqCommand } from './dlq-command.ts'
import { doctorCommand } from './doctor-command.ts'
import { engineCommand } from './engine-command.ts'
import { modelsCommand } from './models-command.ts'
import { parseCommand } from './parse-command.ts'
import { reportFailure } from './report-failure.ts'
import { statusCommand } from './status-command.ts'
import { storeCommand } from './store-command.ts'
import { submitCommand } from './submit-command.ts'
import { tailCommand } from './tail-command.ts'
import { topCommand } from './top-command.ts'
import { topicsCommand } from './topics-command.ts'
import { workerCommand } from './worker-command.ts'

/** Runs the command that the arguments name; `argv` as in `process.argv`. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const program = new Command('pagestream')
    .description('Turns documents (PDFs, scans, photos) into structured, cited, retrieval-ready blocks, documents and chunks.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .showHelpAfterError('(see pagestream --help)')
    .addHelpText(
      'after',
      `
Examples:
  pagestream parse report.pdf --out results        one file
  pagestream parse archive/ --out results --json   a folder, progress as JSON lines
  pagestream doctor                                what is installed, what is missing

Exit codes: 0 all good, 1 some documents failed, 2 usage or configuration, 130 interrupted.`,
    )

  for (const command of [
    parseCommand(),
    submitCommand(),
    workerCommand(),
    topicsCommand(),
    tailCommand(),
    statusCommand(),
    topCommand(),
    storeCommand(),
    dlqCommand(),
    backfillCommand(),
    engineCommand(),
    doctorCommand(),
    modelsCommand(),
  ])
    program.addCommand(command)

  try {
    await withExitCodes(program).parseAsync(argv)
  } catch (error) {
    process.exitCode = reportFailure(error)
  }
}

/** Help and version end with 0, every usage error with 2, on subcommands too. */
function withExitCodes(command: Command): Command {
  for (const child of command.commands) withExitCodes(child)
  return command.exitOverride((error: CommanderError) => process.exit(error.exitCode === 0 ? 0 : 2))
}
