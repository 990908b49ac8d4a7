import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Peers, their virtual environment and generated documents: not tracked, safe to delete. */
export const cacheFolder = fileURLToPath(new URL('../.cache/bench/', import.meta.url))
const wanted = JSON.parse(readFileSync(new URL('./peers.json', import.meta.url), 'utf8'))

const installTimeoutMs = 900_000

function run(program, args, cwd) {
  const result = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: installTimeoutMs, stdio: ['ignore', 'pipe', 'pipe'] })
  if (result.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${(result.stderr || result.stdout || String(result.error)).trim().slice(-500)}`)
  return result.stdout.trim()
}

/** Done once for each list of versions: a stamp beside the installation holds the list. */
function once(folder, versions, install) {
  const stamp = join(folder, 'installed.json')
  const text = JSON.stringify(versions)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === text) return
  mkdirSync(folder, { recursive: true })
  console.error(`installing ${Object.keys(versions).join(', ')} into ${folder}`)
  install()
  writeFileSync(stamp, text)
}

const specs = (versions, joint) => Object.entries(versions).map(([name, version]) => `${name}${joint}${version}`)

/** The folder whose node_modules holds the peers from npm. */
export function installNpmPeers() {
  const folder = join(cacheFolder, 'npm')
  once(folder, wanted.npm, () => {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    run('npm', ['install', '--no-fund', '--no-audit', '--no-save', ...specs(wanted.npm, '@')], folder)
  })
  return folder
}

/** The Python interpreter of a virtual environment with a group of peers from PyPI; undefined, with the reason on stderr, where there is none. */
export function installPythonPeers(group = 'python') {
  const folder = join(cacheFolder, group)
  const python = join(folder, 'venv', 'bin', 'python')
  try {
    once(folder, wanted[group], () => {
      run(process.env.PYTHON ?? 'python3', ['-m', 'venv', 'venv'], folder)
      run(python, ['-m', 'pip', 'install', '--quiet', ...specs(wanted[group], '==')], folder)
    })
    return python
  } catch (error) {
    console.error(`without the peers in Python: ${error.message}`)
    return undefined
  }
}

export const peerVersion = (name) => wanted.npm[name] ?? wanted.python[name] ?? wanted['python-vlm'][name]
