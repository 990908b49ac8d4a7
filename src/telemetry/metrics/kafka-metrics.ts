import { ofLane, ofStage, type WorkerMetric } from './of-worker.ts'

const stage = ['stage', 'lane'] as const

/** How a worker stands with its broker. */
export const kafkaMetrics = [
  {
    ...{ name: 'pagestream_records_total', type: 'counter', unit: 'records', labels: stage },
    help: 'Records that a stage has finished: with the lag in records, how long it takes to catch up.',
    read: ofStage((_, { records }) => records),
  },
  {
    ...{ name: 'pagestream_lag_records', type: 'gauge', unit: 'records', labels: stage },
    help: 'Records of the partitions of this worker that are not finished, as the broker told within the last seconds.',
    read: ofStage(({ lagRecords }) => lagRecords),
  },
  {
    ...{ name: 'pagestream_lag_seconds', type: 'gauge', unit: 'seconds', labels: stage },
    help: 'Age of the oldest record in hand that is not finished; 0 where there is none.',
    read: ofStage(({ lagSeconds }) => lagSeconds),
  },
  {
    ...{ name: 'pagestream_commits_total', type: 'counter', unit: 'none', labels: stage },
    help: 'Commits of offsets that the broker has taken.',
    read: ofStage((_, { commits }) => commits),
  },
  {
    ...{ name: 'pagestream_stale_commits_total', type: 'counter', unit: 'none', labels: stage },
    help: 'Commits that came too late, as the partition had another owner: the records come again there.',
    read: ofStage((_, { staleCommits }) => staleCommits),
  },
  {
    ...{ name: 'pagestream_rebalances_total', type: 'counter', unit: 'none', labels: stage },
    help: 'Times that the partitions of a stage were assigned anew.',
    read: ofStage((_, { assignments }) => assignments),
  },
  {
    ...{ name: 'pagestream_partitions', type: 'gauge', unit: 'partitions', labels: stage },
    help: 'Partitions that a stage of this worker reads.',
    read: ofStage(({ partitions }) => partitions.length),
  },
  {
    ...{ name: 'pagestream_partitions_paused', type: 'gauge', unit: 'partitions', labels: stage },
    help: 'Of these, how many are not read on at the moment, as enough is in hand or the stage does not take in.',
    read: ofStage(({ partitions, isPaused }) => (isPaused ? partitions.length : 0)),
  },
  {
    ...{ name: 'pagestream_publish_seconds', type: 'histogram', unit: 'seconds', labels: ['lane'] },
    help: 'From when records were asked to be sent until the broker had acknowledged all of them, waiting in the queue included.',
    read: ofLane(({ publishSeconds }) => publishSeconds),
  },
  {
    ...{ name: 'pagestream_publish_queue_records', type: 'gauge', unit: 'records', labels: ['lane'] },
    help: 'Records that wait to be sent.',
    read: ofLane((_, { sending }) => sending.records),
  },
  {
    ...{ name: 'pagestream_publish_queue_bytes', type: 'gauge', unit: 'bytes', labels: ['lane'] },
    help: 'Bytes of these records.',
    read: ofLane((_, { sending }) => sending.bytes),
  },
] as const satisfies readonly WorkerMetric[]
