// Writes what manifests of the Helm chart are checked against: test/fixtures/kubernetes holds the kinds that the chart uses, from the API of
// Kubernetes and from the definitions of KEDA and the Prometheus operator, without their descriptions. Needs go and unzip; run by hand for new versions.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { moduleZip } from './tools/go-module.mjs'

const versions = JSON.parse(readFileSync(new URL('tools/versions.json', import.meta.url), 'utf8'))
const folder = fileURLToPath(new URL('../test/fixtures/kubernetes', import.meta.url))

const kinds = [
  ...['v1/ConfigMap', 'v1/Service', 'v1/ServiceAccount', 'v1/PersistentVolumeClaim', 'v1/Pod', 'apps/v1/Deployment', 'apps/v1/StatefulSet'],
  ...['batch/v1/Job', 'policy/v1/PodDisruptionBudget', 'networking.k8s.io/v1/NetworkPolicy', 'scheduling.k8s.io/v1/PriorityClass'],
]
const keda = { path: 'github.com/kedacore/keda/v2', version: versions.keda, folder: 'config/crd/bases' }
const operator = {
  path: 'github.com/prometheus-operator/prometheus-operator',
  version: versions.prometheusOperator,
  folder: 'example/prometheus-operator-crd',
}
const definitions = [
  { ...keda, name: 'keda.sh_scaledobjects' },
  { ...keda, name: 'keda.sh_triggerauthentications' },
  { ...operator, name: 'monitoring.coreos.com_podmonitors' },
  { ...operator, name: 'monitoring.coreos.com_prometheusrules' },
]

const fileOf = ({ path, version }, name) =>
  execFileSync('unzip', ['-p', moduleZip(path, version), `${path}@v${version}/${name}`], { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })

/** Texts for people; a property may be called `description`, too. */
function withoutDescriptions(value) {
  if (Array.isArray(value)) return value.map(withoutDescriptions)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => (key === 'description' && typeof child === 'string' ? [] : [[key, withoutDescriptions(child)]])),
  )
}

/** The kinds, and all that they refer to. */
function builtIn(swagger) {
  const found = {}
  const wanted = Object.entries(swagger.definitions).flatMap(([name, { 'x-kubernetes-group-version-kind': gvks = [] }]) =>
    gvks.map(({ group, version, kind }) => [[group, version, kind].filter(Boolean).join('/'), name]),
  )
  const names = Object.fromEntries(kinds.map((kind) => [kind, wanted.find(([candidate]) => candidate === kind)[1]]))
  const queue = Object.values(names)
  for (let name = queue.pop(); name; name = queue.pop()) {
    if (found[name]) continue
    found[name] = withoutDescriptions(swagger.definitions[name])
    for (const [, other] of JSON.stringify(found[name]).matchAll(/"#\/definitions\/([^"]+)"/g)) queue.push(other)
  }
  return { kinds: names, definitions: Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1))) }
}

mkdirSync(folder, { recursive: true })
const kubernetes = { path: 'k8s.io/kubernetes', version: versions.kubernetes }
const write = (name, value) => writeFileSync(`${folder}/${name}`, typeof value === 'string' ? value : `${JSON.stringify(value)}\n`)
write('kubernetes.json', builtIn(JSON.parse(fileOf(kubernetes, 'api/openapi-spec/swagger.json'))))
for (const definition of definitions)
  write(`${definition.name}.json`, withoutDescriptions(parse(fileOf(definition, `${definition.folder}/${definition.name}.yaml`))))
write('LICENSE', fileOf(kubernetes, 'LICENSE'))
write(
  'README.md',
  `# Schemas of Kubernetes, KEDA and the Prometheus operator

Test data, under the Apache License 2.0 (LICENSE beside this file): taken from Kubernetes ${versions.kubernetes} (copyright The Kubernetes Authors), KEDA
${versions.keda} (copyright The KEDA Authors) and prometheus-operator ${versions.prometheusOperator} (copyright The prometheus-operator Authors). Changed: only the kinds that the Helm chart
uses, without descriptions, as JSON. Made by \`node scripts/make-kubernetes-schemas.mjs\`.
`,
)
