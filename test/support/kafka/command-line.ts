import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach } from 'vitest'
import { type Config, configSchema } from '../../../src/config/config.ts'
import { packageRoot } from '../../../src/config/package-root.ts'
import { TopicAdmin } from '../../../src/consumers/kafka/topic-admin.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** A configuration whose store lies in the folder, in a file there for processes; its topics are made. */
export async function configFile(folder: string, keys: Readonly<Record<string, unknown>>): Promise<{ readonly config: Config; readonly file: string }> {
  const all = { store: { url: pathToFileURL(join(folder, 'store')).href }, ...keys }
  const config = configSchema.parse(all)
  await using admin = await TopicAdmin.connect(config.kafka)
  await admin.apply()
  const file = join(folder, 'config.json')
  await writeFile(file, JSON.stringify(all))
  return { config, file }
}

/** The command line as an operator has it: starts it with a configuration and a little more environment. `said` grows. What is left of it after a test is killed. */
export function commandLine(file: string, env: Readonly<Record<string, string>> = {}) {
  return (...args: string[]) => {
    const child = spawn(process.execPath, [join(packageRoot(), 'dist/bundle/cli.js'), ...args, '--config', file], { env: { ...process.env, ...env } })
    children.push(child)
    const said = { out: '', errors: '' }
    child.stdout.on('data', (piece) => {
      said.out += piece
    })
    child.stderr.on('data', (piece) => {
      said.errors += piece
    })
    const done = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }))
    return { child, said, done }
  }
}

/** The last of the JSON lines that a command has printed. */
export const lastLine = (out: string): Record<string, unknown> => JSON.parse(out.trim().split('\n').at(-1) || '{}') as Record<string, unknown>
