import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageRoot } from '../../src/config/package-root.ts'
import { runMetrics } from '../../src/telemetry/metrics/run-metrics.ts'
import { workerMetrics } from '../../src/telemetry/metrics/worker-metrics.ts'
import { groupedBy, selectorsOf } from './promql.ts'

export interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly datasource?: { readonly uid: string }
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } }
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly instant?: boolean; readonly datasource?: { readonly uid: string } }[]
}

interface Variable {
  readonly name: string
  readonly type: string
  readonly query: string | { readonly query: string }
}

export interface Dashboard {
  readonly file: string
  readonly uid: string
  readonly title: string
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly Variable[] }
  readonly annotations: { readonly list: readonly unknown[] }
}

export interface Rule {
  readonly record?: string
  readonly alert?: string
  readonly expr: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

const folder = (name: string) => join(packageRoot(), 'grafana', name)
export const ruleFiles = readdirSync(folder('rules')).map((file) => join(folder('rules'), file))

export const dashboards = readdirSync(folder('dashboards')).map(
  (file) => ({ ...(JSON.parse(readFileSync(join(folder('dashboards'), file), 'utf8')) as Omit<Dashboard, 'file'>), file }) satisfies Dashboard,
)
export const rules = ruleFiles.flatMap((file) => (parse(readFileSync(file, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules))

/** All that panels ask, and where. */
export const panelQueries = dashboards.flatMap(({ file, panels }) =>
  panels.flatMap(({ title, type, targets = [] }) => targets.map(({ expr }) => ({ where: `${file}: ${title}`, type, expr }))),
)

/** Of a series: those that Prometheus and its operator give to what they scrape. */
const ofTargets = ['cluster', 'namespace', 'job', 'instance', 'pod']
const ofPrometheus: Readonly<Record<string, readonly string[]>> = {
  up: ofTargets,
  ALERTS: [...ofTargets, 'alertname', 'alertstate', 'severity', 'stage', 'lane'],
}

/** Every label that a series of this name may have; undefined where there is no such series. */
export function labelsOfSeries(name: string): readonly string[] | undefined {
  if (ofPrometheus[name]) return ofPrometheus[name]
  const recorded = rules.filter(({ record }) => record === name)
  if (recorded.length > 0) return recorded.flatMap(({ expr, labels = {} }) => [...Object.keys(labels), ...labelsOfResult(expr)])
  const histogram = name.replace(/_(?:bucket|sum|count)$/, '')
  for (const { name: known, type, labels } of [...workerMetrics, ...runMetrics]) {
    if (known === name && type !== 'histogram') return [...ofTargets, ...labels]
    if (known === histogram && type === 'histogram' && name !== histogram) return [...ofTargets, ...labels, ...(name.endsWith('_bucket') ? ['le'] : [])]
  }
  return undefined
}

const labelsOfResult = (expr: string): readonly string[] => {
  const grouped = groupedBy(expr)
  return grouped.length > 0 ? grouped : selectorsOf(expr).flatMap(({ name }) => labelsOfSeries(name) ?? [])
}

/** What an expression asks for that no worker, backfill or rule gives: names, and labels that these never have. */
export function unknownIn(expr: string): string[] {
  const selectors = selectorsOf(expr)
  if (selectors.length === 0) return [`no series in ${expr}`]
  const names = selectors.filter(({ name }) => labelsOfSeries(name) === undefined).map(({ name }) => name)
  const matched = selectors.flatMap(({ name, matchers }) =>
    matchers.filter(({ label }) => labelsOfSeries(name)?.includes(label) === false).map(({ label }) => `${name}{${label}}`),
  )
  const all = new Set(selectors.flatMap(({ name }) => labelsOfSeries(name) ?? []))
  return [...names, ...matched, ...groupedBy(expr).filter((label) => !all.has(label))]
}
