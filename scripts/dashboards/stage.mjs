import { mean, quantile, rate, spread, sum } from './queries.mjs'
import { ofStage } from './variables.mjs'

const by = ['stage', 'lane']
const legend = '{{stage}} {{lane}}'
const graph = (panel) => ({ kind: 'timeseries', span: 8, ...panel })

export const stage = {
  uid: 'pagestream-stage',
  title: 'pagestream / Stage detail',
  description: 'What does a stage do with its time, and what would make it faster? Choose it above.',
  rows: [
    {
      title: 'Work',
      panels: [
        graph({
          title: 'How many pages a second are finished?',
          description: 'By outcome: ok, or failed for good.',
          unit: 'suffix: pages/s',
          queries: [[`${legend} {{outcome}}`, rate('pagestream_pages_total', ofStage, [...by, 'outcome'])]],
        }),
        graph({
          title: 'How long does a page stay in the stage?',
          description: 'From when it was taken in until what follows from it was sent.',
          unit: 's',
          exemplars: true,
          queries: [
            ...spread('pagestream_stage_seconds', ofStage, by, legend),
            [`${legend} 99 % within`, quantile(0.99, 'pagestream_stage_seconds', ofStage, by)],
          ],
        }),
        graph({
          title: 'Which workers do it?',
          description: 'Pages a second of each worker: one far below the others has few partitions, a slow machine or a stuck page.',
          unit: 'suffix: pages/s',
          queries: [['{{pod}} {{instance}}', rate('pagestream_pages_total', ofStage, ['pod', 'instance'])]],
        }),
      ],
    },
    {
      title: 'Windows',
      panels: [
        graph({
          title: 'Where does the time of a window go?',
          description: 'Mean seconds of each phase: gather (until it closed), queue (until it was begun), work, send (until its results were acknowledged).',
          unit: 's',
          stacked: true,
          queries: [['{{stage}} {{phase}}', mean('pagestream_window_phase_seconds', ofStage, ['stage', 'phase'])]],
        }),
        graph({
          title: 'How full are windows?',
          description: 'Of the limits of pages, work and bytes the nearest one. Low while busy: window.ageMs closes them too early.',
          unit: 'percentunit',
          max: 1,
          queries: [[legend, mean('pagestream_window_fill_ratio', ofStage, by)]],
        }),
        graph({
          title: 'How many pages has a window?',
          description: 'Mean of the windows that were begun.',
          unit: 'suffix: pages',
          queries: [[legend, mean('pagestream_window_pages', ofStage, by)]],
        }),
        graph({
          title: 'Why are windows closed?',
          description: 'By limit (pages, cost, bytes), age, because nobody was at work (idle), or to drain.',
          unit: 'suffix: windows/s',
          stacked: true,
          queries: [['{{stage}} {{reason}}', rate('pagestream_windows_closed_total', ofStage, ['stage', 'reason'])]],
        }),
        graph({
          title: 'How busy is the stage?',
          description: 'Share of the time with at least one window in work, over all workers.',
          unit: 'percentunit',
          max: 1,
          queries: [[legend, `avg by (stage, lane) (rate(pagestream_busy_seconds_total{${ofStage}}[$__rate_interval]))`]],
        }),
        graph({
          title: 'How many pages are in hand?',
          description: 'Taken in and not finished; at most worker.maxPagesInFlight of each worker.',
          unit: 'suffix: pages',
          queries: [[legend, sum('pagestream_pages_in_flight', ofStage, by)]],
        }),
      ],
    },
    {
      title: 'Trouble',
      panels: [
        graph({
          title: 'How often is work tried again?',
          description: 'Tries of pages and records that failed and were made again.',
          unit: 'suffix: retries/s',
          queries: [[legend, rate('pagestream_retries_total', ofStage, by)]],
        }),
        graph({
          title: 'What fails for good?',
          description: 'Dead letters a minute by class.',
          unit: 'suffix: letters/min',
          stacked: true,
          queries: [[`${legend} {{class}}`, `60 * ${rate('pagestream_dead_letters_total', ofStage, [...by, 'class'])} > 0`]],
        }),
        graph({
          title: 'Is a worker stuck?',
          description: 'The longest that a worker has had pages in hand and finished none; at worker.stallMs it ends itself.',
          unit: 's',
          queries: [[legend, `max by (stage, lane) (pagestream_stalled_seconds{${ofStage}})`]],
        }),
        graph({
          title: 'How many bytes of records are held?',
          description: 'Of the worker that holds most; at most worker.maxBufferedBytes and one fetch of each broker.',
          unit: 'bytes',
          queries: [[legend, `max by (stage, lane) (pagestream_records_held_bytes{${ofStage}})`]],
        }),
        graph({
          title: 'Who takes in, waits or has stopped?',
          description: 'Workers by the state of their intake: open, waiting for an engine or the store, stopped by the circuit breaker.',
          unit: 'short',
          stacked: true,
          queries: [['{{stage}} {{lane}} {{state}}', sum('pagestream_intake', ofStage, [...by, 'state'])]],
        }),
        graph({
          title: 'What does one worker say of its own rate?',
          description: 'The gauge for those without Prometheus: pages a second within the last minute, as each worker counts them.',
          unit: 'suffix: pages/s',
          queries: [[`${legend} {{instance}}`, sum('pagestream_pages_per_second', ofStage, [...by, 'instance'])]],
        }),
      ],
    },
  ],
}
