// Installs, upgrades, rolls back and uninstalls the chart on a real API server with etcd behind it, and has it check every manifest strictly. No pods run:
// Jobs and Pods are said to have ended well. Needs helm and kube-apiserver (scripts/tools) and etcd (Debian: etcd-server); exit code 3 says which is missing.
// `--json FILE` writes what was found, one entry a preset and step; `--verbose` prints what is said after an installation.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { ApiServer } from './chart/api-server.mjs'
import { isThere, toolPath, versions } from './tools/tool-place.mjs'

const chart = fileURLToPath(new URL('../deploy/helm/pagestream', import.meta.url))
const { values: options } = parseArgs({ options: { json: { type: 'string' }, verbose: { type: 'boolean' } } })

const missing = [
  ...['helm', 'kube-apiserver'].filter((name) => !isThere(name, name === 'helm' ? versions.helm : versions.kubernetes)),
  ...(spawnSync('etcd', ['--version']).status === 0 ? [] : ['etcd']),
]
if (missing.length > 0) {
  console.error(`skipped: there is no ${missing.join(', no ')}; node scripts/tools/NAME.mjs builds what is ours to build`)
  process.exit(3)
}

const results = []
async function step(name, run) {
  const started = performance.now()
  let problem
  try {
    await run()
  } catch (error) {
    problem = error.message
  }
  results.push({ name, ok: problem === undefined, seconds: (performance.now() - started) / 1000, output: problem ?? '' })
  console.log(`${problem === undefined ? 'ok    ' : 'FAILED'}  ${name}`)
  if (problem) console.log(problem.replace(/^/gm, '        '))
}

const folder = mkdtempSync(join(tmpdir(), 'helm-on-api-server-'))
const server = await ApiServer.start(folder, toolPath('kube-apiserver', versions.kubernetes))

async function helm(...args) {
  const env = { ...process.env, KUBECONFIG: server.kubeconfig, HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder }
  const program = toolPath('helm', versions.helm)
  const { stdout } = await promisify(execFile)(program, args, { encoding: 'utf8', env, timeout: 120_000, maxBuffer: 64 * 1024 ** 2 })
  return stdout
}

/** Runs helm while Jobs and Pods end as they should; answers with their names, in the order in which they ran. */
async function withHooks(args, fail = []) {
  const [stop, ended] = [new AbortController(), []]
  const others = server.completeAll('reading', stop.signal, { ended, fail })
  try {
    await helm(...args)
  } finally {
    stop.abort()
    await others
  }
  return ended
}

function expectSame(found, wanted) {
  if (found.join() !== wanted.join()) throw new Error(`${found.join(', ')}; expected ${wanted.join(', ')}`)
}

const fileOf = (name) => (name === 'everything' ? `ci/${name}-values.yaml` : `values-${name}.yaml`)
const presetsOf = (...names) => [...names.map(fileOf), 'ci/needed-values.yaml'].flatMap((name) => ['-f', join(chart, name)])
const installed = (...names) => ['docs', chart, '-n', 'reading', ...presetsOf(...names)]
const hooks = ['docs-pagestream-store-check', 'docs-pagestream-topics']
const deployments = '/apis/apps/v1/namespaces/reading/deployments'
const namesAt = async (path) => (await server.list(path)).map(({ metadata }) => metadata.name).sort()
const workersOfCpu = ['assemble', 'page-render', 'reader', 'text-finder'].map((name) => `docs-pagestream-${name}`)

try {
  const all = readdirSync(chart).flatMap((name) => /^values-(.+)\.yaml$/.exec(name)?.slice(1) ?? [])
  const combinations = [...all.map((name) => [name]), ['gpu', 'lanes', 'keda', 'monitoring'], ['gpu-service', 'keda', 'monitoring', 'everything']]
  for (const names of combinations) {
    const manifests = parseAllDocuments(await helm('template', 'docs', chart, '-n', 'reading', '--kube-version', versions.kubernetes, ...presetsOf(...names)))
      .map((document) => document.toJS())
      .filter(Boolean)
    const refused = []
    for (const manifest of manifests) {
      const problem = await server.dryRun(manifest, 'reading')
      if (problem) refused.push(`${manifest.kind} ${manifest.metadata.name}: ${problem}`)
    }
    await step(`strict dry run of ${manifests.length} manifests: ${names.join(', ')}`, () => expectSame(refused, []))
  }
  await step('a slip is found', async () => {
    const found = await server.dryRun({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'slip' }, dta: {} }, 'reading')
    if (!found?.includes('dta')) throw new Error(`the server takes a ConfigMap with the key dta: ${found}`)
  })
  await step('a check that fails ends the installation before anything runs', async () => {
    const failure = await withHooks(['install', ...installed('cpu')], [hooks[0]]).catch((error) => error)
    if (!(failure instanceof Error)) throw new Error('it was installed')
    expectSame(await namesAt(deployments), [])
    expectSame(await namesAt('/apis/batch/v1/namespaces/reading/jobs'), [hooks[0]])
    await helm('uninstall', 'docs', '-n', 'reading')
  })
  await step('install: cpu, the checks first and in order', async () => expectSame(await withHooks(['install', ...installed('cpu')]), hooks))
  await step('the notes name the workers and say what to do next', async () => {
    const notes = await helm('get', 'notes', 'docs', '-n', 'reading')
    if (options.verbose) console.log(notes)
    for (const part of [...workersOfCpu, 'helm -n reading test docs']) if (!notes.includes(part)) throw new Error(`${part} is not in them:\n${notes}`)
  })
  await step('helm test: one page', async () => expectSame(await withHooks(['test', 'docs', '-n', 'reading']), ['docs-pagestream-test']))
  const many = ['gpu', 'lanes', 'keda', 'monitoring']
  await step(`upgrade: ${many.join(', ')}`, async () => expectSame(await withHooks(['upgrade', ...installed(...many)]), hooks))
  await step('upgrade again, with nothing changed', async () => expectSame(await withHooks(['upgrade', ...installed(...many)]), hooks))
  await step('upgrade: shared servers, everything', async () => {
    const ended = await withHooks(['upgrade', ...installed('gpu-service', 'keda', 'everything')])
    expectSame(ended.slice(0, 2), hooks)
  })
  await step('rollback: the first release is back', async () => {
    await withHooks(['rollback', 'docs', '1', '-n', 'reading'])
    expectSame(await namesAt(deployments), workersOfCpu)
  })
  await step('uninstall: only the claim of models stays, and what hooks leave for the next installation', async () => {
    await helm('uninstall', 'docs', '-n', 'reading')
    const kinds = [
      '/apis/apps/v1/namespaces/reading/statefulsets',
      '/api/v1/namespaces/reading/secrets',
      '/apis/keda.sh/v1alpha1/namespaces/reading/scaledobjects',
    ]
    expectSame((await Promise.all([deployments, ...kinds].map(namesAt))).flat(), [])
    expectSame(await namesAt('/api/v1/namespaces/reading/persistentvolumeclaims'), ['docs-pagestream-models'])
    expectSame(await namesAt('/api/v1/namespaces/reading/configmaps'), ['docs-pagestream-hooks', 'docs-pagestream-test'])
  })
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

const failed = results.filter(({ ok }) => !ok).length
console.log(`${results.length - failed} steps passed, ${failed} failed, on Kubernetes ${versions.kubernetes}`)
if (options.json) writeFileSync(options.json, JSON.stringify(results, undefined, 2))
if (failed > 0) process.exitCode = 1
