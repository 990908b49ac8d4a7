// Builds the API server of Kubernetes into the user's cache and prints its path: five to fifteen minutes, 1.75 GB of memory, 5 GB of disk. With `--cached`
// nothing is built, and exit code 3 says that there is none.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { go, hasGo } from './go-module.mjs'
import { isThere, toolPath, versions } from './tool-place.mjs'

const version = versions.kubernetes
const path = toolPath('kube-apiserver', version)

/** Kubernetes replaces its own libraries by folders of its repository, which a module cannot do from outside: here by the versions that belong to it. */
function moduleFile() {
  const { GoMod: file } = JSON.parse(go(['mod', 'download', '-json', `k8s.io/kubernetes@v${version}`], { env: { GOFLAGS: '-mod=mod' } }))
  const text = readFileSync(file, 'utf8')
  const libraries = [...text.matchAll(/^\t?(?:replace )?(k8s\.io\/[a-z-]+) => \.\/staging\//gm)].map(([, name]) => name)
  const matching = version.replace(/^1\./, '0.')
  return [
    'module pagestream.local/kube-apiserver',
    /^go .+$/m.exec(text)?.[0],
    'replace (',
    ...libraries.map((name) => `\t${name} => ${name} v${matching}`),
    ')',
    '',
  ].join('\n')
}

function build() {
  const folder = mkdtempSync(join(tmpdir(), 'kube-apiserver-'))
  try {
    writeFileSync(join(folder, 'go.mod'), moduleFile())
    const options = { cwd: folder, env: { CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -mod=mod -trimpath -p=2' } }
    go(['get', `k8s.io/kubernetes@v${version}`], options)
    const [major, minor] = version.split('.')
    const set = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor }
    const flags = Object.entries(set).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
    mkdirSync(dirname(path), { recursive: true })
    go(['build', `-ldflags=-s -w ${flags.join(' ')}`, '-o', `${path}.building`, 'k8s.io/kubernetes/cmd/kube-apiserver'], options)
    renameSync(`${path}.building`, path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (!isThere('kube-apiserver', version)) {
  if (process.argv.includes('--cached') || !hasGo()) {
    console.error('kube-apiserver: there is none in the cache; node scripts/tools/kube-apiserver.mjs builds it')
    process.exit(3)
  }
  build()
}
console.log(path)
