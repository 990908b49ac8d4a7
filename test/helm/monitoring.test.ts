import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { chartFolder, describeHelm, render } from '../support/helm/chart.ts'
import { manifest, podsOf } from '../support/helm/manifest.ts'

const files = (folder: string): string[] => readdirSync(join(chartFolder, 'files', folder))
const read = (...path: string[]) => readFileSync(join(chartFolder, 'files', ...path), 'utf8')

describeHelm('what watches the pods of the chart', () => {
  it('scrapes each port that tells metrics, by its name', () => {
    const { manifests } = render({
      presets: ['values-gpu.yaml', 'values-monitoring.yaml'],
      values: { backfill: { enabled: true, run: 'r', archive: 's3://a' }, networkPolicy: { scrapers: [{ podSelector: {} }] } },
    })
    const { spec } = manifest(manifests, 'PodMonitor', 'docs-pagestream')
    expect(spec?.podMetricsEndpoints).toEqual(['http', 'engine'].map((port) => ({ port, path: '/metrics', interval: '15s', scrapeTimeout: '10s' })))
    const named = new Set(
      podsOf(manifests).flatMap(({ pod }) => [...pod.containers, ...(pod.initContainers ?? [])].flatMap(({ ports = [] }) => ports.map(({ name }) => name))),
    )
    expect([...named].sort()).toEqual(['engine', 'http'])
    const selected = Object.entries(spec?.selector?.matchLabels ?? {})
    for (const { name, labels } of podsOf(manifests)) for (const [key, value] of selected) expect(labels?.[key], name).toBe(value)
  })

  it('leaves out what the network lets nobody scrape', () => {
    const { spec } = manifest(render({ presets: ['values-gpu.yaml', 'values-monitoring.yaml'] }).manifests, 'PodMonitor', 'docs-pagestream')
    expect(spec?.podMetricsEndpoints).toHaveLength(1)
  })

  it('is off by default, as its kinds are not in every cluster', () => {
    for (const { apiVersion } of render().manifests) expect(apiVersion).not.toMatch(/monitoring\.coreos\.com|keda\.sh/)
  })

  it('brings the rules as they are, with the labels that an operator looks for', () => {
    const { manifests } = render({ values: { monitoring: { prometheusRule: { enabled: true, labels: { release: 'prometheus' } } } } })
    const rules = manifests.filter(({ kind }) => kind === 'PrometheusRule')
    expect(rules.map(({ metadata }) => metadata.name)).toEqual(files('rules').map((name) => `docs-pagestream-${name.replace('.yaml', '')}`))
    for (const [at, { metadata, spec }] of rules.entries()) {
      expect(metadata.labels).toMatchObject({ release: 'prometheus' })
      expect(spec?.groups).toEqual(parse(read('rules', files('rules')[at] ?? '')).groups)
    }
  })

  it('brings the dashboards as they are, small enough for a cluster', () => {
    const { manifests } = render({ values: { monitoring: { dashboards: { enabled: true, annotations: { grafana_folder: 'pagestream' } } } } })
    const maps = manifests.filter(({ metadata }) => metadata.labels?.grafana_dashboard === '1')
    expect(maps.map(({ metadata }) => metadata.name)).toEqual(files('dashboards').map((name) => `docs-pagestream-dashboard-${name.replace('.json', '')}`))
    for (const [at, { metadata, data }] of maps.entries()) {
      const name = files('dashboards')[at] ?? ''
      expect(metadata.annotations).toEqual({ grafana_folder: 'pagestream' })
      expect(JSON.parse(data?.[name] ?? '')).toEqual(JSON.parse(read('dashboards', name)))
      expect(data?.[name]?.length).toBeLessThan(900_000)
    }
  })
})
