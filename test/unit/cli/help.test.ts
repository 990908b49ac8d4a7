import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { backfillCommand } from '../../../src/cli/backfill-command.ts'
import { dlqCommand } from '../../../src/cli/dlq-command.ts'
import { doctorCommand } from '../../../src/cli/doctor-command.ts'
import { engineCommand } from '../../../src/cli/engine-command.ts'
import { modelsCommand } from '../../../src/cli/models-command.ts'
import { parseCommand } from '../../../src/cli/parse-command.ts'
import { statusCommand } from '../../../src/cli/status-command.ts'
import { storeCommand } from '../../../src/cli/store-command.ts'
import { submitCommand } from '../../../src/cli/submit-command.ts'
import { tailCommand } from '../../../src/cli/tail-command.ts'
import { topCommand } from '../../../src/cli/top-command.ts'
import { topicsCommand } from '../../../src/cli/topics-command.ts'
import { workerCommand } from '../../../src/cli/worker-command.ts'

const commands = [
  ...[parseCommand(), submitCommand(), workerCommand(), topicsCommand(), tailCommand(), statusCommand(), topCommand()],
  ...[storeCommand(), dlqCommand(), backfillCommand(), engineCommand(), doctorCommand(), modelsCommand()],
]

/** Commands that do something, by their whole names. */
const doing = (command: Command, above = ''): [string, Command][] => {
  const name = `${above}${command.name()}`
  return command.commands.length === 0 ? [[name, command]] : command.commands.flatMap((child) => doing(child, `${name} `))
}

const helpOf = (command: Command): string => {
  let said = ''
  command.configureOutput({
    writeOut: (text) => {
      said += text
    },
  })
  command.outputHelp()
  return said
}

it.each(commands.flatMap((command) => doing(command)))('%s has help with an example of its own and its exit codes', (name, command) => {
  const help = helpOf(command)
  expect(help).toMatch(/^Examples?:$/m)
  expect(help).toMatch(new RegExp(`^ {2}(PAGESTREAM_\\S+ )?pagestream ${name}\\b`, 'm'))
  expect(help).toMatch(/^Exit codes: 0 .*, 2 /m)
})
