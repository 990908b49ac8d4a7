import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { configSchema } from '../../src/config/config.ts'
import { chartFolder, describeHelm, presets, type Rendering, render } from '../support/helm/chart.ts'
import { containersOf, deployment, manifest, podsOf } from '../support/helm/manifest.ts'

const everything: Rendering = { presets: ['values-gpu.yaml', 'values-keda.yaml', 'ci/everything-values.yaml'] }

const all: readonly (readonly [string, Rendering])[] = [
  ['everything', everything],
  ['no preset', {}],
  ...presets.map((name) => [name, { presets: [name] }] as const),
]

describeHelm('pods of the chart', () => {
  it.each(all)('run without root, rights or a token, on a file system that is only read: %s', (_, rendering) => {
    const { manifests } = render(rendering)
    const accounts = manifests.filter(({ kind }) => kind === 'ServiceAccount')
    for (const { automountServiceAccountToken } of accounts) expect(automountServiceAccountToken).toBe(false)
    const pods = podsOf(manifests)
    expect(pods.length).toBeGreaterThan(4)
    for (const { name, pod } of pods) {
      expect(pod.automountServiceAccountToken, name).toBe(false)
      expect(
        accounts.map(({ metadata }) => metadata.name),
        name,
      ).toContain(pod.serviceAccountName)
      expect(pod.securityContext, name).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000, seccompProfile: { type: 'RuntimeDefault' } })
      for (const container of containersOf(pod)) {
        expect(container.securityContext, `${name}/${container.name}`).toEqual({
          ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, runAsNonRoot: true },
          ...{ capabilities: { drop: ['ALL'] }, seccompProfile: { type: 'RuntimeDefault' } },
        })
        expect(
          container.volumeMounts?.map(({ mountPath }) => mountPath),
          `${name}/${container.name}`,
        ).toContain('/tmp')
      }
      for (const { name: volume, emptyDir } of pod.volumes ?? []) if (emptyDir) expect(emptyDir.sizeLimit, `${name}/${volume}`).toBeTruthy()
    }
  })

  it('hooks need nothing that is installed behind them', () => {
    const { manifests } = render(everything)
    const isHook = (name: string) => manifests.filter(({ metadata }) => metadata.name === name).every(({ metadata }) => metadata.annotations?.['helm.sh/hook'])
    const weight = (name: string, kind: string) => Number(manifest(manifests, kind, name).metadata.annotations?.['helm.sh/hook-weight'])
    for (const job of ['docs-pagestream-store-check', 'docs-pagestream-topics']) {
      const pod = manifest(manifests, 'Job', job).spec?.template?.spec
      expect(isHook(pod?.serviceAccountName ?? '')).toBe(true)
      const maps = (pod?.volumes ?? []).flatMap(({ configMap }) => (configMap ? [configMap.name] : []))
      expect(maps).toEqual(['docs-pagestream-hooks'])
      expect(weight('docs-pagestream-hooks', 'ConfigMap')).toBeLessThan(weight(job, 'Job'))
    }
    expect(weight('docs-pagestream-store-check', 'Job')).toBeLessThan(weight('docs-pagestream-topics', 'Job'))
  })

  it('take secrets by name alone: as files where pagestream looks for them, the credentials of the store as variables', () => {
    const { manifests } = render(everything)
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([])
    const { pod, worker } = deployment(manifests, 'docs-pagestream-reader')
    const mounted = Object.fromEntries(
      (pod.volumes ?? []).flatMap(({ name, secret }) => {
        const place = worker.volumeMounts?.find((mount) => mount.name === name)
        return secret ? [[secret.secretName, { path: place?.mountPath, readOnly: place?.readOnly }]] : []
      }),
    )
    expect(mounted).toEqual(
      Object.fromEntries(
        [
          ['kafka', 'kafka-password'],
          ['kafka-ca', 'kafka-tls'],
          ['engine', 'engine-api-key'],
          ['passwords', 'input-passwords'],
        ].map(([secret, path]) => [secret, { path: `/etc/pagestream/${path}`, readOnly: true }]),
      ),
    )
    const config = configSchema.parse(JSON.parse(manifest(manifests, 'ConfigMap', 'docs-pagestream-reader').data?.['pagestream.json'] ?? ''))
    expect(config.kafka.sasl.passwordFile).toBe('/etc/pagestream/kafka-password/password')
    expect(config.kafka.tls).toMatchObject({ caFile: '/etc/pagestream/kafka-tls/ca.crt', certFile: '/etc/pagestream/kafka-tls/tls.crt' })
    expect(config.vlm.engine.apiKeyFile).toBe('/etc/pagestream/engine-api-key/api-key')
    expect(config.inputs.passwordsFile).toBe('/etc/pagestream/input-passwords/passwords.txt')
    const variables = (worker.env ?? []).map(({ name, valueFrom }) => [name, valueFrom?.secretKeyRef?.name])
    expect(variables).toEqual([
      ['PAGESTREAM_CONFIG', undefined],
      ['AWS_ACCESS_KEY_ID', 'bucket'],
      ['AWS_SECRET_ACCESS_KEY', 'bucket'],
      ['OTEL_EXPORTER_OTLP_ENDPOINT', undefined],
    ])
  })

  it('have no key in the values that would hold a secret', () => {
    const values = readFileSync(join(chartFolder, 'values.yaml'), 'utf8')
    for (const match of values.matchAll(/^ *(kafkaPassword|kafkaToken|storeCredentials|engineApiKey|inputPasswords): (.*)$/gm))
      expect(match[2]).toContain('existingSecret')
    for (const secrets of [{ kafkaPassword: { value: 'x' } }, { kafkaPassword: 'x' }, { storeCredentials: { existingSecret: 'a', secret: 'x' } }])
      expect(render({ values: { secrets } }).status).toBe(1)
  })

  it('are talked to by nobody but scrapers, and workers by servers only where there are some', () => {
    const ports = (rendering: Rendering, name = 'docs-pagestream') =>
      manifest(render(rendering).manifests, 'NetworkPolicy', name).spec?.ingress?.flatMap((rule) => (rule.ports ?? []).map(({ port }) => port))
    expect(ports({})).toEqual(['http'])
    expect(ports({ presets: ['values-gpu.yaml'] })).toEqual(['http'])
    const values = { networkPolicy: { scrapers: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }] } }
    expect(ports({ presets: ['values-gpu.yaml'], values })).toEqual(['http', 'engine'])
    expect(ports({ presets: ['values-gpu-service.yaml'] }, 'docs-pagestream-engine')).toEqual(['engine'])
  })

  it('reach names, brokers, store and engine where egress is fenced', () => {
    const values = {
      config: { kafka: { brokers: ['a:9093', 'b:9094'] }, store: { url: 's3://b/p', endpoint: 'http://s3.local:7070' } },
      engine: { mode: 'external', urls: ['http://vllm.models.svc:8000', 'http://other.models.svc'] },
      networkPolicy: { restrictEgress: true, extraEgress: [{ ports: [{ port: 4318 }] }] },
    }
    const { spec } = manifest(render({ presets: ['values-external.yaml'], values }).manifests, 'NetworkPolicy', 'docs-pagestream')
    expect(spec?.policyTypes).toEqual(['Ingress', 'Egress'])
    expect(spec?.egress?.flatMap(({ ports = [] }) => ports.map(({ port }) => port))).toEqual([53, 53, 443, 9093, 9094, 7070, 8000, 80, 4318])
  })
})
