// Modules and programs in Go, through the go command and whatever proxy it is set up with; checksums are compared by it.
import { spawnSync } from 'node:child_process'

export const hasGo = () => spawnSync('go', ['version']).status === 0

/** Runs go to its end; throws what it said where it fails. */
export function go(args, { cwd, env = {}, timeoutMs = 1_800_000 } = {}) {
  const result = spawnSync('go', args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8', timeout: timeoutMs, maxBuffer: 64 * 1024 ** 2 })
  if (result.status !== 0) throw new Error(`go ${args.join(' ')}: ${result.error?.message ?? (result.stderr || result.stdout)}`)
  return result.stdout
}

/** Fetches a module as an archive and answers with its path. Modules that ask for a newer Go than is here are fetched all the same. */
export function moduleZip(path, version) {
  const result = spawnSync('go', ['mod', 'download', '-json', `${path}@v${version}`], { encoding: 'utf8', env: { ...process.env, GOFLAGS: '-mod=mod' } })
  const { Zip: zip, Error: error } = JSON.parse(result.stdout || '{}')
  if (!zip) throw new Error(`fetching ${path}@v${version}: ${error ?? result.stderr}`)
  return zip
}
