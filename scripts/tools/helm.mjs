// Builds helm once, from its module and at the pinned version, into the user's cache, and prints its path. Exit code 3 where there is no go.
import { mkdirSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { go, hasGo } from './go-module.mjs'
import { isThere, toolPath, versions } from './tool-place.mjs'

const path = toolPath('helm', versions.helm)
if (!isThere('helm', versions.helm)) {
  if (!hasGo()) {
    console.error('helm: there is none in the cache, and no go to build it')
    process.exit(3)
  }
  const folder = `${dirname(path)}.building-${process.pid}`
  mkdirSync(folder, { recursive: true })
  const env = { CGO_ENABLED: '0', GOBIN: folder, GOFLAGS: '-buildvcs=false -trimpath -p=2' }
  go(['install', '-ldflags=-s -w', `helm.sh/helm/v3/cmd/helm@v${versions.helm}`], { env })
  mkdirSync(dirname(path), { recursive: true })
  renameSync(`${folder}/helm`, path)
}
console.log(path)
