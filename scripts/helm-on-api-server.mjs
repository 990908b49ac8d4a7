// Installs, upgrades, rolls back and uninstalls the chart on a real API server with etcd behind it, and has it check every manifest strictly. No pods run:
// there is no scheduler. Needs helm and kube-apiserver (scripts/tools) and etcd (Debian: etcd-server); exit code 3 says which is missing.
// `--json FILE` writes what was found, one entry a preset and step.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { ApiServer } from './chart/api-server.mjs'
import { isThere, toolPath, versions } from './tools/tool-place.mjs'

const chart = fileURLToPath(new URL('../deploy/helm/pagestream', import.meta.url))
const { values: options } = parseArgs({ options: { json: { type: 'string' } } })

const missing = [
  ...['helm', 'kube-apiserver'].filter((name) => !isThere(name, name === 'helm' ? versions.helm : versions.kubernetes)),
  ...(spawnSync('etcd', ['--version']).status === 0 ? [] : ['etcd']),
]
if (missing.length > 0) {
  console.error(`skipped: there is no ${missing.join(', no ')}; node scripts/tools/NAME.mjs builds what is ours to build`)
  process.exit(3)
}

const results = []
function step(name, run) {
  const started = performance.now()
  let problem
  try {
    run()
  } catch (error) {
    problem = error.message
  }
  results.push({ name, ok: problem === undefined, seconds: (performance.now() - started) / 1000, output: problem ?? '' })
  console.log(`${problem === undefined ? 'ok    ' : 'FAILED'}  ${name}`)
  if (problem) console.log(problem.replace(/^/gm, '        '))
}

const folder = mkdtempSync(join(tmpdir(), 'helm-on-api-server-'))
const server = await ApiServer.start(folder, toolPath('kube-apiserver', versions.kubernetes))

function helm(...args) {
  const env = { ...process.env, KUBECONFIG: server.kubeconfig, HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder }
  const result = spawnSync(toolPath('helm', versions.helm), args, { encoding: 'utf8', env, timeout: 120_000, maxBuffer: 64 * 1024 ** 2 })
  if (result.status !== 0) throw new Error(`helm ${args.join(' ')}: ${result.stderr || result.stdout}`)
  return result.stdout
}

const fileOf = (name) => (name === 'everything' ? `ci/${name}-values.yaml` : `values-${name}.yaml`)
const presetsOf = (...names) => [...names.map(fileOf), 'ci/needed-values.yaml'].flatMap((name) => ['-f', join(chart, name)])
/** Hooks would wait for pods, which nobody starts here. */
const installed = (...names) => [chart, '-n', 'reading', '--no-hooks', ...presetsOf(...names)]

try {
  const all = readdirSync(chart).flatMap((name) => /^values-(.+)\.yaml$/.exec(name)?.slice(1) ?? [])
  const combinations = [...all.map((name) => [name]), ['gpu', 'lanes', 'keda', 'monitoring'], ['gpu-service', 'keda', 'monitoring', 'everything']]
  for (const names of combinations) {
    const manifests = parseAllDocuments(helm('template', 'docs', chart, '-n', 'reading', '--kube-version', versions.kubernetes, ...presetsOf(...names)))
      .map((document) => document.toJS())
      .filter(Boolean)
    const refused = []
    for (const manifest of manifests) {
      const problem = await server.dryRun(manifest, 'reading')
      if (problem) refused.push(`${manifest.kind} ${manifest.metadata.name}: ${problem}`)
    }
    step(`strict dry run of ${manifests.length} manifests: ${names.join(', ')}`, () => {
      if (refused.length > 0) throw new Error(refused.join('\n'))
    })
  }
  const slip = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'slip' }, dta: {} }
  const found = await server.dryRun(slip, 'reading')
  step('a slip is found', () => {
    if (!found?.includes('dta')) throw new Error(`the server takes a ConfigMap with the key dta: ${found}`)
  })
  step('install: cpu', () => helm('install', 'docs', ...installed('cpu')))
  step('upgrade: gpu, lanes, keda, monitoring', () => helm('upgrade', 'docs', ...installed('gpu', 'lanes', 'keda', 'monitoring')))
  step('upgrade again, with nothing changed', () => helm('upgrade', 'docs', ...installed('gpu', 'lanes', 'keda', 'monitoring')))
  step('upgrade: shared servers, everything', () => helm('upgrade', 'docs', ...installed('gpu-service', 'keda', 'everything')))
  step('rollback', () => helm('rollback', 'docs', '1', '-n', 'reading', '--no-hooks'))
  const left = await server.list('/apis/apps/v1/namespaces/reading/deployments')
  step('the first release is back', () => {
    const names = left.map(({ metadata }) => metadata.name).sort()
    const wanted = ['assemble', 'page-render', 'reader', 'text-finder'].map((name) => `docs-pagestream-${name}`)
    if (names.join() !== wanted.join()) throw new Error(`Deployments: ${names.join(', ')}`)
  })
  step('uninstall', () => helm('uninstall', 'docs', '-n', 'reading', '--no-hooks'))
  const kinds = [
    '/apis/apps/v1/namespaces/reading/deployments',
    '/api/v1/namespaces/reading/secrets',
    '/apis/keda.sh/v1alpha1/namespaces/reading/scaledobjects',
  ]
  const remaining = (await Promise.all(kinds.map((path) => server.list(path)))).flat()
  step('nothing is left', () => {
    if (remaining.length > 0) throw new Error(remaining.map(({ metadata }) => metadata.name).join(', '))
  })
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

const failed = results.filter(({ ok }) => !ok).length
console.log(`${results.length - failed} steps passed, ${failed} failed, on Kubernetes ${versions.kubernetes}`)
if (options.json) writeFileSync(options.json, JSON.stringify(results, undefined, 2))
if (failed > 0) process.exitCode = 1
