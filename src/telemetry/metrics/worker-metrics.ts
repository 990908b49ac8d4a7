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
    ...{ name: 'pagestream_up', type: 'gauge', unit: 'none', labels: [] },
    help: '1 while the worker has joined its groups and is not told to stop.',
    read: ({ view: { phase } }) => single(phase === 'running' ? 1 : 0),
  },
  {
    ...{ name: 'pagestream_device_info', type: 'gauge', unit: 'none', labels: ['device', 'name', 'driver'] },
    help: '1 for the device that models run on, with its name and the version of its driver; nothing where no device was asked for.',
    read: ({ view: { device } }) => (device ? [{ labels: { device: device.id, name: device.name, driver: device.driver }, value: 1 }] : []),
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
