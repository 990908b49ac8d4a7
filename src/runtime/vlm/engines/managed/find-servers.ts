import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findOnPath } from '../../../processes/find-on-path.ts'
import { type PythonPackage, pythonOf, pythonVersions } from './python-packages.ts'
import { type InstalledServer, type ServerKind, serverKinds } from './server-plan.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Of those that come as Python packages: the script on the PATH, what its arguments begin with, the package. */
const scripts: Readonly<
  Record<Exclude<ServerKind, 'llama-server'>, { readonly script: string; readonly prefix: readonly string[]; readonly package: PythonPackage }>
> = {
  vllm: { script: 'vllm', prefix: ['serve'], package: 'vllm' },
  sglang: { script: 'sglang', prefix: ['-m', 'sglang.launch_server'], package: 'sglang' },
  lmdeploy: { script: 'lmdeploy', prefix: ['serve', 'api_server'], package: 'lmdeploy' },
  mlx: { script: 'mlx_vlm.server', prefix: [], package: 'mlx-vlm' },
  transformers: { script: 'transformers', prefix: ['serve'], package: 'transformers' },
}

/** As llama.cpp builds it, and as a Python wheel with Vulkan names it. */
const llamaServers = ['llama-server', 'llama-server-vulkan']

/** The servers that are installed, in the order of `serverKinds`; found by the PATH of the environment. Loads none. Never rejects. */
export async function findServers(env: Environment, kinds: readonly ServerKind[] = serverKinds): Promise<InstalledServer[]> {
  const found = await Promise.all(kinds.map((kind) => (kind === 'llama-server' ? findLlamaServer(env) : findPythonServer(kind, env))))
  return found.filter((server) => server !== undefined)
}

async function findPythonServer(kind: Exclude<ServerKind, 'llama-server'>, env: Environment): Promise<InstalledServer | undefined> {
  const { script, prefix, package: name } = scripts[kind]
  const path = await findOnPath(script, env)
  // Older SGLangs have no script of their own: any Python may have the package.
  const python = path === undefined ? kind === 'sglang' && (await findOnPath('python3', env)) : await pythonOf(path)
  const versions = python ? await pythonVersions(python, env) : undefined
  const version = versions?.[name] ?? undefined
  const command = kind === 'sglang' ? (version === undefined ? undefined : python || undefined) : path
  if (command === undefined) return undefined
  const known = versions && kind === 'vllm' ? { hasMineruProcessor: typeof versions['mineru-vl-utils'] === 'string' } : {}
  return { kind, command, prefix, ...(version !== undefined && { version }), ...known }
}

async function findLlamaServer(env: Environment): Promise<InstalledServer | undefined> {
  for (const name of llamaServers) {
    const command = await findOnPath(name, env)
    if (command !== undefined) return { kind: 'llama-server', command, prefix: [], ...(await llamaVersion(command, env)) }
  }
  return undefined
}

const run = promisify(execFile)

/** `version: 10434 (7e4c0a9)`, on either of its outputs. */
async function llamaVersion(command: string, env: Environment): Promise<{ version?: string }> {
  const said = await run(command, ['--version'], { env: { ...env }, timeout: 20_000, maxBuffer: 1024 ** 2 }).catch(() => undefined)
  const version = said && /version: (\d{1,9})/.exec(said.stdout + said.stderr)?.[1]
  return version === undefined ? {} : { version }
}
