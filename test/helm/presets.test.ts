import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { packageVersion } from '../../src/config/package-root.ts'
import { chartFolder, describeHelm, lint, packageChart, presets, type Rendering, render } from '../support/helm/chart.ts'
import { faultsOf } from '../support/helm/kubernetes-schema.ts'
import { containersOf, podsOf } from '../support/helm/manifest.ts'
import { tempFolder } from '../support/temp-folder.ts'

const autoscaled = {
  workerDefaults: { autoscaling: { enabled: true, trigger: 'prometheus' } },
  keda: { prometheus: { serverAddress: 'http://prometheus:9090' } },
}

/** Each preset alone, behind one another as they are meant, and with what an installation adds. */
const matrix: readonly (readonly [string, Rendering])[] = [
  ['no preset', {}],
  ...presets.map((name) => [name, { presets: [name] }] as const),
  ['a GPU, lanes apart, KEDA, monitoring', { presets: ['values-gpu.yaml', 'values-lanes.yaml', 'values-keda.yaml', 'values-monitoring.yaml'] }],
  ['shared servers, KEDA', { presets: ['values-gpu-service.yaml', 'values-keda.yaml', 'values-monitoring.yaml'] }],
  ['everything', { presets: ['values-gpu.yaml', 'values-lanes.yaml', 'values-keda.yaml', 'values-monitoring.yaml', 'ci/everything-values.yaml'] }],
  [
    'a token instead of a password',
    { values: { config: { kafka: { sasl: { mechanism: 'oauthbearer' } } }, secrets: { kafkaToken: { existingSecret: 'token' } } } },
  ],
  ['KEDA on backlog', { values: autoscaled }],
  ['a folder as the store', { values: { config: { store: { url: 'file:///srv/pagestream' } }, store: { existingClaim: 'store' } } }],
  ['models in pods', { values: { modelCache: { models: ['pp-ocrv6-small-rec'] } } }],
  [
    'models in a claim',
    { presets: ['values-gpu.yaml'], values: { modelCache: { models: ['pp-ocrv6-small-rec'], claim: { create: true, storageClassName: 'nfs' } } } },
  ],
  ['a claim that is there', { presets: ['values-gpu-service.yaml'], values: { modelCache: { claim: { existingClaim: 'weights' } } } }],
  ['a backfill', { values: { backfill: { enabled: true, run: 'archive-2026', archive: 's3://scans/2025', args: ['--in-place'] } } }],
  ['egress is fenced', { presets: ['values-external.yaml'], values: { networkPolicy: { restrictEgress: true, scrapers: [{ podSelector: {} }] } } }],
  [
    'as little as can be',
    {
      values: {
        ...{ hooks: { topics: { enabled: false }, storeCheck: { enabled: false } }, networkPolicy: { enabled: false }, serviceAccount: { create: false } },
        ...{ test: { enabled: false }, workerDefaults: { podDisruptionBudget: { enabled: false }, topologySpread: [] } },
      },
    },
  ],
  [
    'one worker for all stages, on chosen nodes',
    {
      values: {
        workers: {
          ...Object.fromEntries(['page-render', 'text-finder', 'reader', 'assemble'].map((name) => [name, { enabled: false }])),
          all: {
            stages: ['page-render', 'text-finder', 'layout', 'region-recognition', 'assemble'],
            nodeSelector: { pool: 'cpu' },
            affinity: { nodeAffinity: {} },
          },
        },
        env: [{ name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: 'http://collector:4318' }],
        commonLabels: { team: 'archive' },
        image: { repository: 'registry.example.com/pagestream', digest: `sha256:${'0'.repeat(64)}` },
        imagePullSecrets: [{ name: 'registry' }],
      },
    },
  ],
]

describeHelm('the chart', () => {
  it.each(matrix)('passes lint --strict and renders what Kubernetes takes: %s', (_, rendering) => {
    const linted = lint(rendering)
    expect(linted.status, linted.stdout + linted.stderr).toBe(0)
    const { status, said, manifests } = render(rendering)
    expect(said).toBe('')
    expect(status).toBe(0)
    expect(manifests.flatMap(faultsOf)).toEqual([])
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(names).size).toBe(names.length)
  })

  it('is found out by the schemas where a manifest is wrong', () => {
    const [manifest] = render({ presets: ['values-keda.yaml'] }).manifests.filter(({ kind }) => kind === 'ScaledObject')
    if (!manifest?.spec?.triggers) throw new Error('no ScaledObject')
    const [trigger] = manifest.spec.triggers
    const wrong = (spec: object) => faultsOf({ ...manifest, spec: { ...manifest.spec, ...spec } })
    expect(wrong({ minReplicaCountt: 1 })).toHaveLength(1)
    expect(wrong({ minReplicaCount: '1' })).toHaveLength(1)
    expect(wrong({ triggers: [{ ...trigger, metadata: { ...trigger?.metadata, lagThreshold: 5 } }] })).toHaveLength(1)
    const [deployment] = render().manifests.filter(({ kind }) => kind === 'Deployment')
    if (!deployment?.spec?.template) throw new Error('no Deployment')
    const { template } = deployment.spec
    const changed = { ...deployment, spec: { ...deployment.spec, template: { ...template, spec: { ...template.spec, resourcs: {} } } } }
    expect(faultsOf(changed)).toEqual([expect.stringContaining('resourcs')])
  })

  it('has the version of pagestream as that of its image', () => {
    const { appVersion } = parse(readFileSync(join(chartFolder, 'Chart.yaml'), 'utf8')) as { readonly appVersion: string }
    expect(appVersion).toBe(packageVersion())
    const images = podsOf(render().manifests).flatMap(({ pod }) => containersOf(pod).map(({ image }) => image))
    expect(new Set(images)).toEqual(new Set([`pagestream:${packageVersion()}`]))
    const pinned = render({ values: { image: { digest: `sha256:${'a'.repeat(64)}` } } }).manifests
    expect(podsOf(pinned)[0]?.pod.containers[0]?.image).toBe(`pagestream@sha256:${'a'.repeat(64)}`)
  })

  it('can be packaged, with all that templates read', async () => {
    const folder = await tempFolder()
    expect(packageChart(folder)).toMatch(/pagestream-\d+\.\d+\.\d+\.tgz/)
  })
})
