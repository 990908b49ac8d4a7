import { Counter, Gauge, Registry } from 'prom-client'
import { metricList } from './metric-list.ts'
import { metricValues } from './metric-values.ts'
import type { ProcessMeter } from './process-figures.ts'
import type { WorkerView } from './worker-view.ts'

/** Serves the list of metrics as Prometheus reads it. Nothing is counted here: values are read from the worker at each scrape. */
export class Metrics {
  readonly contentType: string
  readonly #registry = new Registry()
  readonly #view: () => WorkerView
  readonly #meter: ProcessMeter
  readonly #fill: ((view: WorkerView, figures: ReturnType<ProcessMeter['look']>) => void)[]

  constructor(view: () => WorkerView, meter: ProcessMeter) {
    this.#view = view
    this.#meter = meter
    this.contentType = this.#registry.contentType
    this.#fill = metricList.map(({ name, type, labels, help }) => {
      const options = { name, help, labelNames: labels, registers: [this.#registry] }
      const metric = type === 'counter' ? new Counter(options) : new Gauge(options)
      return (worker, figures) => {
        metric.reset()
        for (const sample of metricValues[name](worker, figures)) metric.inc(sample.labels, sample.value)
      }
    })
  }

  async text(): Promise<string> {
    const [view, figures] = [this.#view(), this.#meter.look()]
    for (const fill of this.#fill) fill(view, figures)
    return this.#registry.metrics()
  }
}
