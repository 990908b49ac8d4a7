import { type MetricObjectWithValues, type MetricValue, Registry, type RegistryContentType, type Metric as ServedMetric } from 'prom-client'
import type { Distribution, Exemplar } from './distribution.ts'
import type { Metric, Sample } from './metrics/metric.ts'

interface ServedValue extends MetricValue<string> {
  readonly metricName?: string
  readonly exemplar?: { readonly labelSet: Readonly<Record<string, string>>; readonly value: number; readonly timestamp: number }
}

/** What one scrape is answered with. */
export interface Exposition {
  readonly contentType: string
  readonly body: string
}

/**
 * Writes values as Prometheus reads them: OpenMetrics with exemplars for who accepts that, the plain text format for all others. Nothing is counted here:
 * values are read at each scrape, into a registry that lives as long.
 */
export async function expose<Source>(metrics: readonly Metric<Source>[], source: Source, accept = ''): Promise<Exposition> {
  const registry = new Registry<RegistryContentType>()
  if (accept.includes('application/openmetrics-text')) registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  for (const metric of metrics) registry.registerMetric(served(metric, source))
  return { contentType: registry.contentType, body: await registry.metrics() }
}

/** Of a metric the registry needs no more than this; it renames counters in place. */
function served<Source>({ name, help, type, read }: Metric<Source>, source: Source): ServedMetric {
  const metric = { name: name as string, help, type, aggregator: 'sum', values: [...read(source)].flatMap((sample) => valuesOf(name, sample)) }
  return Object.assign(metric, { get: async () => metric as unknown as MetricObjectWithValues<MetricValue<string>> }) as unknown as ServedMetric
}

function valuesOf(name: string, { labels, value }: Sample): ServedValue[] {
  return typeof value === 'number' ? [{ labels, value }] : bucketsOf(name, labels, value)
}

function bucketsOf(name: string, labels: Sample['labels'], { bounds, counts, exemplars, sum, count }: Distribution): ServedValue[] {
  let below = 0
  const buckets = counts.map((inBucket, index): ServedValue => {
    below += inBucket
    const exemplar = exemplars[index]
    const le = asBound(bounds[index])
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: below, ...(exemplar && { exemplar: asServed(exemplar) }) }
  })
  return [...buckets, { metricName: `${name}_sum`, labels, value: sum }, { metricName: `${name}_count`, labels, value: count }]
}

/** As OpenMetrics writes numbers, which Prometheus 3 does of itself: one spelling that rules can name, whatever the version and the format asked for. */
const asBound = (bound: number | undefined) => (bound === undefined ? '+Inf' : Number.isInteger(bound) ? `${bound}.0` : String(bound))

const asServed = ({ traceId, value, atMs }: Exemplar) => ({ labelSet: { trace_id: traceId }, value, timestamp: atMs / 1000 })
