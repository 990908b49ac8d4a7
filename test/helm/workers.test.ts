import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type WorkerFlags, workerCommand } from '../../src/cli/worker-command.ts'
import type { Config } from '../../src/config/config.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { parseDevice } from '../../src/runtime/devices/device.ts'
import { stageNames } from '../../src/schema/stage.ts'
import { describeHelm, presets, type Rendering, render } from '../support/helm/chart.ts'
import { type Container, containersOf, deployment, type Manifest, manifest, podsOf } from '../support/helm/manifest.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** What a pod would read, as pagestream reads it; names of files need not be there. */
async function configOf(manifests: readonly Manifest[], name: string): Promise<Config> {
  const file = join(await tempFolder(), 'pagestream.json')
  writeFileSync(file, manifest(manifests, 'ConfigMap', name).data?.['pagestream.json'] ?? '')
  return loadConfig({ file, env: {} })
}

/** How the command line understands what a worker is started with. */
async function flagsOf({ args = [] }: Container): Promise<WorkerFlags> {
  const [name, ...rest] = args
  expect(name).toBe('worker')
  let flags: WorkerFlags | undefined
  const command = workerCommand()
    .exitOverride()
    .action((given: WorkerFlags) => {
      flags = given
    })
  await command.parseAsync(rest, { from: 'user' })
  if (!flags) throw new Error('no flags')
  return flags
}

const all: readonly (readonly [string, Rendering])[] = [
  ['no preset', {}],
  ...presets.map((name) => [name, { presets: [name] }] as const),
  ['a GPU, lanes apart', { presets: ['values-gpu.yaml', 'values-lanes.yaml'] }],
]

describeHelm('workers of the chart', () => {
  it.each(all)('are told what pagestream takes, and are started as its command line wants it: %s', async (_, rendering) => {
    const { manifests } = render(rendering)
    const served = new Set<string>()
    for (const { metadata } of manifests.filter(({ kind }) => kind === 'Deployment')) {
      const config = await configOf(manifests, metadata.name)
      const { pod, spec, worker } = deployment(manifests, metadata.name)
      const { stage, lane } = await flagsOf(worker)
      expect(config.worker).toMatchObject({ host: '0.0.0.0', port: 9464 })
      expect(() => parseDevice(config.device)).not.toThrow()
      for (const each of stage) for (const one of lane === 'both' ? ['live', 'bulk'] : [lane]) served.add(`${each} ${one}`)

      expect(pod.terminationGracePeriodSeconds ?? 0).toBeGreaterThanOrEqual(config.worker.drainMs / 1000 + 5)
      const { startupProbe, livenessProbe, readinessProbe, ports } = worker
      expect([startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet)).toEqual(
        ['/startup', '/live', '/ready'].map((path) => ({ path, port: 'http' })),
      )
      expect(ports).toEqual([{ name: 'http', containerPort: config.worker.port }])
      const asksModel = config.vlm.family !== 'none' && stage.some((each) => each === 'layout' || each === 'region-recognition')
      const startMs = config.worker.patienceMs + (asksModel ? config.vlm.engine.startMs : 0)
      expect((startupProbe?.periodSeconds ?? 0) * (startupProbe?.failureThreshold ?? 0) * 1000).toBeGreaterThan(startMs)

      expect(spec.template?.metadata.annotations?.['checksum/config']).toMatch(/^[0-9a-f]{64}$/)
      const lanes = lane === 'both' ? 2 : 1
      const tmp = pod.volumes?.find(({ name }) => name === 'tmp')?.emptyDir?.sizeLimit ?? ''
      const bytes = Number.parseInt(tmp, 10) * (tmp.endsWith('Gi') ? 1024 ** 3 : 1024 ** 2)
      expect(bytes).toBeGreaterThan(lanes * config.inputs.cacheBytes)
    }
    expect([...served].sort()).toEqual(stageNames.flatMap((stage) => [`${stage} bulk`, `${stage} live`]).sort())
    await configOf(manifests, 'docs-pagestream')
    await configOf(manifests, 'docs-pagestream-hooks')
  })

  it.each(all)('are found by what selects them, and only they: %s', (_, rendering) => {
    const { manifests } = render(rendering)
    const pods = podsOf(manifests)
    const matched = (labels: object) => pods.filter(({ labels: given }) => Object.entries(labels).every(([key, value]) => given?.[key] === value))
    for (const { kind, metadata, spec } of manifests) {
      for (const key of ['app.kubernetes.io/name', 'app.kubernetes.io/instance', 'app.kubernetes.io/version', 'app.kubernetes.io/managed-by', 'helm.sh/chart'])
        expect(metadata.labels?.[key], `${kind} ${metadata.name}`).toBeTruthy()
      const selected = spec?.selector?.matchLabels
      if (!selected || kind === 'PodMonitor') continue
      expect(matched(selected).map(({ name }) => name)).toEqual([metadata.name])
      for (const { labelSelector } of spec.template?.spec.topologySpreadConstraints ?? []) expect(labelSelector.matchLabels).toEqual(selected)
    }
    for (const { kind, labels } of pods) if (kind !== 'Pod') expect(labels).not.toHaveProperty('helm.sh/chart')
  })

  it.each(all)('mount what is there, and each variable is set once: %s', (_, rendering) => {
    for (const { name, pod } of podsOf(render(rendering).manifests)) {
      const volumes = (pod.volumes ?? []).map((volume) => volume.name)
      expect(new Set(volumes).size, name).toBe(volumes.length)
      for (const container of containersOf(pod)) {
        for (const mount of container.volumeMounts ?? []) expect(volumes, `${name}/${container.name}`).toContain(mount.name)
        const variables = (container.env ?? []).map((variable) => variable.name)
        expect(new Set(variables).size, `${name}/${container.name}`).toBe(variables.length)
        expect(container.resources?.requests, `${name}/${container.name}`).toBeTruthy()
      }
      const used = new Set(containersOf(pod).flatMap(({ volumeMounts = [] }) => volumeMounts.map((mount) => mount.name)))
      expect(
        volumes.filter((volume) => !used.has(volume)),
        name,
      ).toEqual([])
    }
  })

  it('start anew when their configuration changes, and only those whose changes', () => {
    const checksums = (values: object) =>
      Object.fromEntries(
        render({ values })
          .manifests.filter(({ kind }) => kind === 'Deployment')
          .map(({ metadata, spec }) => [metadata.name, spec?.template?.metadata.annotations?.['checksum/config']]),
      )
    const before = checksums({})
    const after = checksums({ workers: { reader: { tuning: { window: { pages: 32 } } } } })
    expect(Object.keys(before).filter((name) => before[name] !== after[name])).toEqual(['docs-pagestream-reader'])
    const all = checksums({ config: { render: { dpi: 150 } } })
    expect(Object.keys(before).filter((name) => before[name] !== all[name])).toEqual(Object.keys(before))
  })

  it('have windows, memory and a drain of their own, and keep large numbers', async () => {
    const { manifests } = render({
      values: {
        config: { inputs: { cacheBytes: 9_007_199_254_740 } },
        workers: { reader: { tuning: { window: { pages: 7, bytes: 5_368_709_120 }, worker: { drainMs: 90_001 } }, drainMarginSeconds: 20, tmpSize: '5Gi' } },
      },
    })
    const config = await configOf(manifests, 'docs-pagestream-reader')
    expect(config).toMatchObject({ window: { pages: 7, bytes: 5_368_709_120 }, worker: { drainMs: 90_001 }, inputs: { cacheBytes: 9_007_199_254_740 } })
    expect(deployment(manifests, 'docs-pagestream-reader').pod.terminationGracePeriodSeconds).toBe(91 + 20)
    expect((await configOf(manifests, 'docs-pagestream-assemble')).window.pages).toBe(64)
  })

  it('are divided by lane where they should be, with priorities of their own', async () => {
    const { manifests } = render({ presets: ['values-lanes.yaml'] })
    const replicas = (name: string) => deployment(manifests, name).spec.replicas
    expect([replicas('docs-pagestream-reader-live'), replicas('docs-pagestream-reader-bulk')]).toEqual([1, 3])
    expect(await flagsOf(deployment(manifests, 'docs-pagestream-reader-bulk').worker)).toMatchObject({ lane: 'bulk' })
    const priority = (name: string) => deployment(manifests, name).pod.priorityClassName ?? ''
    expect(manifest(manifests, 'PriorityClass', priority('docs-pagestream-reader-live')).value).toBeGreaterThan(
      manifest(manifests, 'PriorityClass', priority('docs-pagestream-reader-bulk')).value ?? 0,
    )
    expect(priority('docs-pagestream-assemble')).toBe(priority('docs-pagestream-reader-live'))
  })

  it.each<[string, object, string]>([
    ['no brokers', { config: { kafka: { brokers: [] } } }, 'config.kafka.brokers is empty'],
    ['no store', { config: { store: { url: '' } } }, 'config.store.url is empty'],
    ['a folder without a claim', { config: { store: { url: 'file:///srv/x' } } }, 'store.existingClaim is empty'],
    ['a stage that nobody serves', { workers: { assemble: { enabled: false } } }, 'no worker serves the stage assemble on the lane'],
    ['a lane that nobody serves', { workers: { reader: { lanes: 'live' } } }, 'on the lane bulk'],
    ['more replicas than partitions', { workers: { reader: { replicas: 13 } } }, 'config.kafka.partitions is 12'],
    [
      'more replicas than partitions in all',
      { workers: { more: { stages: ['layout'], replicas: 12 } } },
      'may have 13 replicas on the lane live: workers.more (12), workers.reader (1)',
    ],
    [
      'a variable twice',
      { env: [{ name: 'A', value: '1' }], workers: { reader: { env: [{ name: 'A', value: '2' }] } } },
      'workers.reader.env: A stands there twice',
    ],
    ['a key of the configuration in a variable', { env: [{ name: 'PAGESTREAM_OCR', value: 'never' }] }, 'PAGESTREAM_OCR goes before the configuration'],
    ['a login without a password', { config: { kafka: { sasl: { mechanism: 'plain' } } } }, 'secrets.kafkaPassword.existingSecret is empty'],
    ['a certificate for nothing', { secrets: { kafkaTls: { existingSecret: 'x' } } }, 'config.kafka.tls.enabled is false'],
    ['a backfill without an archive', { backfill: { enabled: true, run: 'x' } }, 'backfill.run and backfill.archive'],
    [
      'a name that is too long',
      { workers: { 'a-worker-with-a-very-long-name': { stages: ['layout'] } }, fullnameOverride: 'x'.repeat(40) },
      'longer than 52 characters',
    ],
  ])('are refused with a sentence that names the key: %s', (_, values, sentence) => {
    const { status, said } = render({ values })
    expect(status).toBe(1)
    expect(said).toContain(sentence)
  })

  it('may serve some stages only, where somebody else serves the others', () => {
    expect(render({ values: { workers: { assemble: { enabled: false } }, checks: { everyStage: false } } }).status).toBe(0)
  })
})
