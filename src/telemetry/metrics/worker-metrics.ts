import { packageVersion } from '../../config/package-root.ts'
import { pageRate, tokenRates } from '../worker-rates.ts'
import { documentMetrics } from './document-metrics.ts'
import { kafkaMetrics } from './kafka-metrics.ts'
import { single } from './metric.ts'
import { modelMetrics } from './model-metrics.ts'
import type { WorkerMetric } from './of-worker.ts'
import { processMetrics } from './process-metrics.ts'
import { stageMetrics } from './stage-metrics.ts'
import { storeMetrics } from './store-metrics.ts'

const ownMetrics = [
  {
    ...{ name: 'pagestream_build_info', type: 'gauge', unit: 'none', labels: ['version', 'node'] },
    help: '1 for the version of pagestream and of Node that run.',
    read: () => [{ labels: { version: packageVersion(), node: process.versions.node }, value: 1 }],
  },
  {
    ...{ name: 'pagestream_up', type: 'gauge', unit: 'none', labels: [] },
    help: '1 while the worker has joined its groups and is not told to stop.',
    read: ({ view: { phase } }) => single(phase === 'running' ? 1 : 0),
  },
  {
    ...{ name: 'pagestream_device_info', type: 'gauge', unit: 'none', labels: ['device', 'name', 'driver'] },
    help: '1 for the device that models run on, with its name and the version of its driver; nothing where no device was asked for.',
    read: ({ view: { device } }) => (device ? [{ labels: { device: device.id, name: device.name, driver: device.driver }, value: 1 }] : []),
  },
  {
    ...{ name: 'pagestream_pages_per_second', type: 'gauge', unit: 'pages', labels: ['stage', 'lane'] },
    help: 'Pages a second that a stage has finished within the last minute: for who has no Prometheus; others take the rate of pagestream_pages_total.',
    read: ({ view: { stages }, rates }) => stages.map(({ stage, lane }) => ({ labels: { stage, lane }, value: pageRate(rates, stage, lane) })),
  },
  {
    ...{ name: 'pagestream_tokens_per_second', type: 'gauge', unit: 'tokens', labels: ['lane', 'kind'] },
    help: 'Tokens a second within the last minute, of prompts and of output: for who has no Prometheus; others take the rate of pagestream_vlm_tokens_total.',
    read: ({ view: { lanes }, rates }) =>
      lanes.flatMap(({ lane }) => Object.entries(tokenRates(rates, lane)).map(([kind, value]) => ({ labels: { lane, kind }, value }))),
  },
] as const satisfies readonly WorkerMetric[]

/** Every metric that a worker serves: the only list, from which the page of metrics is made and against which dashboards and rules are checked. */
export const workerMetrics = [
  ...ownMetrics,
  ...stageMetrics,
  ...kafkaMetrics,
  ...documentMetrics,
  ...modelMetrics,
  ...storeMetrics,
  ...processMetrics,
] as const satisfies readonly WorkerMetric[]
