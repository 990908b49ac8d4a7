import { place } from './variables.mjs'

/** One process works on one run: runs are told apart by where they are worked on. */
const by = ['pod', 'instance']
const legend = '{{pod}} {{instance}}'
const of = (metric, more = '') => `sum by (${[...by, more].filter(Boolean).join(', ')}) (${metric}{${place}})`
const per = (metric, more = '') => `sum by (${[...by, more].filter(Boolean).join(', ')}) (rate(${metric}{${place}}[$__rate_interval]))`
const entries = of('pagestream_backfill_entries_total')
const stat = (panel) => ({ kind: 'stat', span: 6, ...panel })
const graph = (panel) => ({ kind: 'timeseries', ...panel })

export const backfill = {
  uid: 'pagestream-backfill',
  title: 'pagestream / Backfill run',
  description: 'How far is the archive, when will it be done, and what could not be read?',
  rows: [
    {
      title: 'How far it is',
      panels: [
        stat({
          title: 'What share of the archive is dealt with?',
          description: 'Entries that were sent, passed over, left out or refused, of all. Nothing until the archive is counted.',
          unit: 'percentunit',
          queries: [[legend, `${entries} / ${of('pagestream_backfill_archive_entries')}`]],
        }),
        stat({
          title: 'When will all be sent?',
          description: 'Entries that are left, at the mean rate of the whole run; pauses are not in it.',
          unit: 'dtdurations',
          queries: [
            [legend, `(${of('pagestream_backfill_archive_entries')} - ${entries}) * ${of('pagestream_backfill_worked_seconds_total')} / (${entries} > 0)`],
          ],
        }),
        stat({
          title: 'In which state is it?',
          description: 'Running, paused, stopped, done or cancelled.',
          unit: 'short',
          named: true,
          queries: [['{{state}} {{instance}}', `${of('pagestream_backfill_state', 'state')} == 1`]],
        }),
        stat({
          title: 'How long has been worked on it?',
          description: 'All processes together that had it one after the other, pauses left out.',
          unit: 'dtdurations',
          queries: [[legend, of('pagestream_backfill_worked_seconds_total')]],
        }),
      ],
    },
    {
      title: 'How fast it goes',
      panels: [
        graph({
          title: 'How many documents end a minute, and how?',
          description: 'Complete, partial, failed, or lost: sent and never heard of again.',
          unit: 'suffix: documents/min',
          stacked: true,
          queries: [['{{status}} {{instance}}', `60 * ${per('pagestream_backfill_documents_total', 'status')}`]],
        }),
        graph({
          title: 'How many pages a second are read?',
          description: 'Pages of documents that have ended, by outcome.',
          unit: 'suffix: pages/s',
          stacked: true,
          queries: [['{{outcome}} {{instance}}', per('pagestream_backfill_pages_total', 'outcome')]],
        }),
        graph({
          title: 'How many documents are on their way?',
          description: 'Sent and not ended. It stays level while workers keep up; backfill.targetPages sets the level.',
          unit: 'suffix: documents',
          queries: [[legend, of('pagestream_backfill_in_flight')]],
        }),
        graph({
          title: 'How far are the workers of the bulk lane behind?',
          description: 'Seconds to catch up: the stage that leads is the one to give more workers.',
          unit: 's',
          queries: [['{{stage}}', `max by (stage) (pagestream:backlog_seconds{lane="bulk", ${place}})`]],
        }),
      ],
    },
    {
      title: 'What became of it',
      panels: [
        graph({
          title: 'What became of the entries?',
          description: 'Sent, passed over (done before or on their way), left out (no documents), refused.',
          unit: 'suffix: entries',
          stacked: true,
          queries: [['{{outcome}} {{instance}}', of('pagestream_backfill_entries_total', 'outcome')]],
        }),
        graph({
          title: 'What became of the documents?',
          description: 'Since the run began. `pagestream backfill status ID --problems` names those that are not complete.',
          unit: 'suffix: documents',
          stacked: true,
          queries: [['{{status}} {{instance}}', of('pagestream_backfill_documents_total', 'status')]],
        }),
        graph({
          title: 'What share of the pages could not be read?',
          description: 'Failed pages of all pages of documents that have ended.',
          unit: 'percentunit',
          queries: [
            [
              legend,
              `sum by (${by.join(', ')}) (pagestream_backfill_pages_total{outcome="failed", ${place}}) / (${of('pagestream_backfill_pages_total')} > 0)`,
            ],
          ],
        }),
        graph({
          title: 'How old is the checkpoint?',
          description: 'What is sent after it is sent twice when the process is killed. It grows when the store does not answer.',
          unit: 's',
          queries: [[legend, `time() - max by (${by.join(', ')}) (pagestream_backfill_checkpoint_seconds{${place}})`]],
        }),
      ],
    },
  ],
}
