import { type BackfillCheckpoint, backfillStates } from '../../schema/backfill.ts'
import type { ProcessFigures } from '../process-figures.ts'
import { byLabel, type Metric, single } from './metric.ts'
import { processMetrics } from './process-metrics.ts'

/** All that metrics of a backfill are read from. */
export interface RunSource {
  readonly checkpoint: BackfillCheckpoint
  readonly process: ProcessFigures
}

/** What `pagestream backfill run --port N` serves; counted since the run began, on whatever machine that was. */
export const runMetrics = [
  {
    ...{ name: 'pagestream_backfill_state', type: 'gauge', unit: 'none', labels: ['state'] },
    help: '1 for the state of the backfill: running, paused, stopped, done or cancelled.',
    read: ({ checkpoint: { state } }) => byLabel('state', Object.fromEntries(backfillStates.map((name) => [name, name === state ? 1 : 0]))),
  },
  {
    ...{ name: 'pagestream_backfill_archive_entries', type: 'gauge', unit: 'none', labels: [] },
    help: 'Entries of the whole archive; nothing until they are counted.',
    read: ({ checkpoint: { total } }) => (total === undefined ? [] : single(total)),
  },
  {
    ...{ name: 'pagestream_backfill_entries_total', type: 'counter', unit: 'none', labels: ['outcome'] },
    help: 'Entries that were dealt with: sent, passed over (done before, or on their way), left out (no documents), refused.',
    read: ({ checkpoint: { sent, passedOver, leftOut, refused } }) =>
      byLabel('outcome', { sent, 'passed-over': passedOver, 'left-out': leftOut, refused: Object.values(refused).reduce((sum, count) => sum + count, 0) }),
  },
  {
    ...{ name: 'pagestream_backfill_documents_total', type: 'counter', unit: 'documents', labels: ['status'] },
    help: 'Documents of the backfill that have come to their end: complete, partial, failed, or lost (sent and never heard of again, with no end in the store).',
    read: ({ checkpoint: { ended, lost } }) => byLabel('status', { ...ended, lost }),
  },
  {
    ...{ name: 'pagestream_backfill_in_flight', type: 'gauge', unit: 'documents', labels: [] },
    help: 'Documents that were sent and have not ended.',
    read: ({ checkpoint: { open } }) => single(open.length),
  },
  {
    ...{ name: 'pagestream_backfill_pages_total', type: 'counter', unit: 'pages', labels: ['outcome'] },
    help: 'Pages of ended documents: ok, or failed for good.',
    read: ({ checkpoint: { pages, failedPages } }) => byLabel('outcome', { ok: pages - failedPages, failed: failedPages }),
  },
  {
    ...{ name: 'pagestream_backfill_worked_seconds_total', type: 'counter', unit: 'seconds', labels: [] },
    help: 'Time that somebody has worked on the backfill.',
    read: ({ checkpoint: { workedMs } }) => single(workedMs / 1000),
  },
  {
    ...{ name: 'pagestream_backfill_checkpoint_seconds', type: 'gauge', unit: 'seconds', labels: [] },
    help: 'When its checkpoint was written last, seconds since 1970; nothing until it was.',
    read: ({ checkpoint: { updatedMs } }) => (updatedMs === 0 ? [] : single(updatedMs / 1000)),
  },
  ...processMetrics,
] as const satisfies readonly Metric<RunSource>[]
