import type { ProcessFigures } from '../process-figures.ts'
import { byLabel, type Metric, single } from './metric.ts'

/** What is measured of the process itself, whatever it does. */
export const processMetrics = [
  {
    ...{ name: 'pagestream_process_memory_bytes', type: 'gauge', unit: 'bytes', labels: ['kind'] },
    help: 'Memory of the process: rss is all of it, heap what JavaScript uses, external what buffers hold.',
    read: ({ process }) => byLabel('kind', process.memoryBytes),
  },
  {
    ...{ name: 'pagestream_process_memory_limit_bytes', type: 'gauge', unit: 'bytes', labels: [] },
    help: 'Memory that the container of the process may use; nothing where only the machine bounds it.',
    read: ({ process: { memoryLimitBytes } }) => (memoryLimitBytes === undefined ? [] : single(memoryLimitBytes)),
  },
  {
    ...{ name: 'pagestream_process_cpu_seconds_total', type: 'counter', unit: 'seconds', labels: [] },
    help: 'Processor time of the process, all threads.',
    read: ({ process }) => single(process.cpuSeconds),
  },
  {
    ...{ name: 'pagestream_process_start_seconds', type: 'gauge', unit: 'seconds', labels: [] },
    help: 'When the process was started, seconds since 1970.',
    read: ({ process }) => single(process.startSeconds),
  },
  {
    ...{ name: 'pagestream_process_restarts', type: 'gauge', unit: 'none', labels: [] },
    help: 'How often the process that minds this one (worker --devices) has started it again since it began itself; nothing where none does.',
    read: ({ process: { restarts } }) => (restarts === undefined ? [] : single(restarts)),
  },
  {
    ...{ name: 'pagestream_event_loop_lag_seconds', type: 'gauge', unit: 'seconds', labels: ['kind'] },
    help: 'By how much timers were late since the last scrape: p50, p99 and max.',
    read: ({ process }) => byLabel('kind', process.lagSeconds),
  },
] as const satisfies readonly Metric<{ readonly process: ProcessFigures }>[]
