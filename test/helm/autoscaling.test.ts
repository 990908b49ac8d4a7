import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { configSchema } from '../../src/config/config.ts'
import { kafkaTopic, workTopics } from '../../src/consumers/kafka/topic-names.ts'
import { lanes } from '../../src/schema/lane.ts'
import { stageNames } from '../../src/schema/stage.ts'
import { workerMetrics } from '../../src/telemetry/metrics/worker-metrics.ts'
import { describeHelm, render } from '../support/helm/chart.ts'
import { deployment, type Manifest, manifest } from '../support/helm/manifest.ts'
import { promtool, promtoolMissing } from '../support/promtool.ts'
import { tempFolder } from '../support/temp-folder.ts'

const scaled = (manifests: readonly Manifest[]) => manifests.filter(({ kind }) => kind === 'ScaledObject')
const auto = (autoscaling: object) => ({ workerDefaults: { autoscaling: { enabled: true, ...autoscaling } } })

describeHelm('autoscaling of the chart', () => {
  it('watches the topic and group of every stage and lane that a worker serves', () => {
    const values = { config: { kafka: { topicPrefix: 'team.docs', groupPrefix: 'team' } } }
    const { manifests } = render({ presets: ['values-keda.yaml'], values })
    const triggers = scaled(manifests).flatMap(({ spec }) => spec?.triggers ?? [])
    expect(triggers.map(({ metadata }) => `${metadata.topic} ${metadata.consumerGroup}`).sort()).toEqual(
      stageNames
        .flatMap((stage, index) => lanes.map((lane) => `${kafkaTopic('team.docs', workTopics[index] ?? 'documents', lane)} team.${stage}.${lane}`))
        .sort(),
    )
    for (const { metadata } of triggers) {
      expect(metadata).toMatchObject({ bootstrapServers: 'kafka-0:9092,kafka-1:9092', version: '2.8.0', offsetResetPolicy: 'earliest' })
      for (const value of Object.values(metadata)) expect(typeof value).toBe('string')
    }
  })

  it('leaves the number of replicas to the scaler, and takes few away at a time, not before a drain has ended', () => {
    const { manifests } = render({ presets: ['values-gpu.yaml', 'values-keda.yaml'] })
    for (const { metadata, spec } of scaled(manifests)) {
      expect(spec?.scaleTargetRef?.name).toBe(metadata.name)
      expect(deployment(manifests, metadata.name).spec).not.toHaveProperty('replicas')
      expect(spec?.minReplicaCount).toBe(1)
      expect(spec).not.toHaveProperty('idleReplicaCount')
      const { drainMs } = configSchema.parse(JSON.parse(manifest(manifests, 'ConfigMap', metadata.name).data?.['pagestream.json'] ?? '')).worker
      const scaleDown = spec?.advanced?.horizontalPodAutoscalerConfig.behavior.scaleDown
      expect((scaleDown?.stabilizationWindowSeconds ?? 0) * 1000).toBeGreaterThanOrEqual(drainMs)
      expect(scaleDown?.policies).toEqual([{ type: 'Pods', value: 1, periodSeconds: 60 }])
    }
  })

  it('goes to none where it may', () => {
    const { manifests } = render({ values: auto({ scaleToZero: true, minReplicas: 2 }) })
    for (const { spec } of scaled(manifests)) expect(spec).toMatchObject({ idleReplicaCount: 0, minReplicaCount: 2, maxReplicaCount: 12 })
  })

  it('logs in with the secrets of the workers', () => {
    const values = {
      config: { kafka: { tls: { enabled: true }, sasl: { mechanism: 'scram-sha-256', username: 'reader' } } },
      secrets: { kafkaPassword: { existingSecret: 'kafka', key: 'secret' }, kafkaTls: { existingSecret: 'ca' } },
    }
    const { manifests } = render({ presets: ['values-keda.yaml'], values })
    const { spec } = manifest(manifests, 'TriggerAuthentication', 'docs-pagestream-kafka')
    expect(spec?.secretTargetRef).toEqual([
      { parameter: 'password', name: 'kafka', key: 'secret' },
      { parameter: 'ca', name: 'ca', key: 'ca.crt' },
    ])
    expect(manifest(manifests, 'ConfigMap', 'docs-pagestream-kafka-user').data).toEqual({ username: 'reader' })
    for (const { metadata, authenticationRef } of scaled(manifests).flatMap((each) => each.spec?.triggers ?? [])) {
      expect(metadata).toMatchObject({ tls: 'enable', sasl: 'scram_sha256' })
      expect(authenticationRef?.name).toBe('docs-pagestream-kafka')
    }
  })

  it('asks Prometheus only for metrics that there are', () => {
    const { manifests } = render({
      values: { ...auto({ trigger: 'prometheus', backlogSeconds: 90 }), keda: { prometheus: { serverAddress: 'http://p:9090' } } },
    })
    const triggers = scaled(manifests).flatMap(({ spec }) => spec?.triggers ?? [])
    expect(triggers).toHaveLength(stageNames.length * lanes.length)
    const known = new Set<string>(workerMetrics.map(({ name }) => name))
    for (const { metadata } of triggers) {
      expect(metadata).toMatchObject({ serverAddress: 'http://p:9090', threshold: '90' })
      const names = metadata.query?.match(/pagestream_\w+/g) ?? []
      expect(names.length).toBeGreaterThan(1)
      for (const name of names) expect(known).toContain(name)
    }
  })

  it.skipIf(promtoolMissing)(`asks what Prometheus understands${promtoolMissing ? ` (needs ${promtoolMissing})` : ''}`, async () => {
    const { manifests } = render({ values: { ...auto({ trigger: 'prometheus' }), keda: { prometheus: { serverAddress: 'http://p:9090' } } } })
    const queries = scaled(manifests).flatMap(({ spec }) => (spec?.triggers ?? []).flatMap(({ metadata }) => metadata.query ?? []))
    const file = join(await tempFolder(), 'rules.json')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules: queries.map((expr, at) => ({ record: `checked_${at}`, expr })) }] }))
    expect(promtool('check', 'rules', file)).toMatchObject({ ok: true })
    // One replica of two has a record left after an idle night: no reason for a second one.
    const [query = ''] = queries.filter((each) => each.includes('"layout"') && each.includes('"live"'))
    const series = (name: string, values: string) =>
      ['a', 'b'].map((pod) => ({
        series: `${name}{namespace="reading",pod="docs-pagestream-reader-${pod}",stage="layout",lane="live"}`,
        values,
      }))
    const cases = [
      { records: '100+0x20', lag: '0.5x20', value: 60 },
      { records: '0+60x20', lag: '300x20', value: 600 },
    ]
    const tests = cases.map(({ records, lag, value }) => ({
      interval: '1m',
      input_series: [...series('pagestream_records_total', records), ...series('pagestream_lag_records', lag)],
      promql_expr_test: [{ expr: query, eval_time: '10m', exp_samples: [{ labels: '{}', value }] }],
    }))
    const testFile = join(await tempFolder(), 'test.json')
    writeFileSync(testFile, JSON.stringify({ rule_files: [], evaluation_interval: '1m', tests }))
    expect(promtool('test', 'rules', testFile)).toMatchObject({ ok: true })
  })

  it.each<[string, object, string]>([
    ['more replicas than partitions', auto({ maxReplicas: 13 }), 'config.kafka.partitions is 12, and the stage'],
    ['fewer at most than at least', auto({ minReplicas: 5, maxReplicas: 4 }), 'minReplicas is more than maxReplicas'],
    [
      'going down faster than a drain',
      auto({ scaleDown: { stabilizationSeconds: 10 } }),
      'scaleDown.stabilizationSeconds is 10, less than the 25 s of a drain',
    ],
    ['none on metrics of who is not there', auto({ scaleToZero: true, trigger: 'prometheus' }), 'scaleToZero needs the trigger kafka'],
    ['Prometheus nowhere', auto({ trigger: 'prometheus' }), 'keda.prometheus.serverAddress is empty'],
    [
      'a token that KEDA cannot read',
      { ...auto({}), config: { kafka: { sasl: { mechanism: 'oauthbearer' } } }, secrets: { kafkaToken: { existingSecret: 't' } } },
      'keda.kafka.authenticationRef is empty',
    ],
  ])('refuses %s', (_, values, sentence) => {
    const { status, said } = render({ values })
    expect(status).toBe(1)
    expect(said).toContain(sentence)
  })

  it('takes as many replicas as there are partitions', () => {
    expect(render({ values: { ...auto({ maxReplicas: 40 }), config: { kafka: { partitions: 40 } } } }).status).toBe(0)
  })
})
