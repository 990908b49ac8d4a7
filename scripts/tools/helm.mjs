// Builds helm once, from its module and at the pinned version, into the user's cache, and prints its path. Where there is no go, the helm that is
// installed; exit code 3 where there is none.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { go, hasGo } from './go-module.mjs'
import { isThere, toolPath, versions } from './tool-place.mjs'

const path = toolPath('helm', versions.helm)

function build() {
  mkdirSync(dirname(path), { recursive: true })
  const folder = mkdtempSync(join(dirname(path), 'building-'))
  try {
    const env = { CGO_ENABLED: '0', GOBIN: folder, GOFLAGS: '-buildvcs=false -trimpath -p=2' }
    go(['install', '-ldflags=-s -w', `helm.sh/helm/v3/cmd/helm@v${versions.helm}`], { env })
    renameSync(join(folder, 'helm'), path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (isThere('helm', versions.helm)) {
  console.log(path)
} else if (hasGo()) {
  build()
  console.log(path)
} else if (spawnSync('helm', ['version']).status === 0) {
  console.log('helm')
} else {
  console.error('helm: there is none, and no go to build it')
  process.exitCode = 3
}
