import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../../../src/config/places.ts'

const run = promisify(execFile)
const version = '3.21.1'
const installMs = 300_000

/**
 * The folder of node-llama-cpp that tests run with, for the CPU alone; installed by npm below the cache folder. Answers with what is missing where it
 * cannot.
 */
export async function llamaPackage(): Promise<{ readonly folder: string } | { readonly missing: string }> {
  const wanted = [`node-llama-cpp@${version}`, `@node-llama-cpp/linux-x64@${version}`]
  const home = join(cacheFolder(), 'test-tools', `node-llama-cpp-${version}`)
  const folder = join(home, 'node_modules', 'node-llama-cpp')
  if (process.platform !== 'linux' || process.arch !== 'x64') return { missing: `${wanted.join(' ')} (x86-64 Linux alone)` }
  if (existsSync(folder)) return { folder }
  const draft = `${home}.${randomUUID()}`
  try {
    await mkdir(draft, { recursive: true })
    const flags = ['--prefix', draft, '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund']
    await run('npm', ['install', ...flags, ...wanted], { timeout: installMs, cwd: draft })
    await mkdir(dirname(home), { recursive: true })
    // Another process may have been faster: its copy is as good.
    await rename(draft, home).catch(() => undefined)
  } catch {
    return { missing: `npm, and a registry that has ${wanted.join(' ')}` }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return existsSync(folder) ? { folder } : { missing: `${wanted.join(' ')}: installed and not there` }
}
