import { ofLane, ofLaneBy, type WorkerMetric } from './of-worker.ts'

const lane = ['lane'] as const

/** The store as a worker finds it. */
export const storeMetrics = [
  {
    ...{ name: 'pagestream_store_seconds', type: 'histogram', unit: 'seconds', labels: ['lane', 'operation'] },
    help: 'Calls of the store that were answered, by operation; each try by itself.',
    read: ofLaneBy('operation', ({ store }) => store.seconds),
  },
  {
    ...{ name: 'pagestream_store_failures_total', type: 'counter', unit: 'none', labels: ['lane', 'operation'] },
    help: 'Calls of the store that failed, by operation; they are made again.',
    read: ofLaneBy('operation', ({ store }) => store.failures),
  },
  {
    ...{ name: 'pagestream_claim_misses_total', type: 'counter', unit: 'none', labels: lane },
    help: 'Values that an event refers to and the store does not have: they expired, or their page was done before.',
    read: ofLane(({ store }) => store.misses),
  },
] as const satisfies readonly WorkerMetric[]
