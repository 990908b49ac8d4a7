import { quantile, rate } from './queries.mjs'
import { ofLane, ofStage, place } from './variables.mjs'

const graph = (panel) => ({ kind: 'timeseries', span: 8, ...panel })
const late = (what, windows) => windows.map((window) => [window, `max by (namespace, job) (pagestream:${what}_late:ratio${window}{${place}})`])

export const reliability = {
  uid: 'pagestream-reliability',
  title: 'pagestream / Reliability',
  description: 'Are the objectives kept, what fails, and are workers well?',
  rows: [
    {
      title: 'Objectives',
      panels: [
        {
          kind: 'table',
          title: 'Which alerts are firing?',
          description: 'Each has its page under docs/runbooks.',
          unit: 'short',
          span: 8,
          queries: [['', `count by (alertname, severity, namespace, job, stage, lane) (ALERTS{alertname=~"Pagestream.+", alertstate="firing", ${place}})`]],
        },
        graph({
          title: 'What share of first pages is late?',
          description: 'Live documents that waited for their first page for more than 60 s, over several windows. The objective allows 1 %.',
          unit: 'percentunit',
          queries: late('first_page', ['5m', '1h', '6h', '3d']),
          thresholds: [
            [null, 'green'],
            [0.01, 'red'],
          ],
        }),
        graph({
          title: 'What share of documents is late?',
          description: 'Live documents that took more than 10 minutes from submission to their end, over several windows. The objective allows 5 %.',
          unit: 'percentunit',
          queries: late('document', ['5m', '1h', '6h', '3d']),
          thresholds: [
            [null, 'green'],
            [0.05, 'red'],
          ],
        }),
      ],
    },
    {
      title: 'Failures',
      panels: [
        graph({
          title: 'What share of the documents is not complete?',
          description: 'Partial and failed of all that ended.',
          unit: 'percentunit',
          max: 1,
          queries: [
            [
              '{{lane}}',
              `${rate('pagestream_documents_total', `status!="complete", ${ofLane}`, ['lane'])} / ${rate('pagestream_documents_total', ofLane, ['lane'])}`,
            ],
          ],
        }),
        graph({
          title: 'What failed for good within the hour?',
          description: 'Dead letters by stage and class; `pagestream dlq list` shows them.',
          unit: 'suffix: letters',
          stacked: true,
          queries: [['{{stage}} {{class}}', `sum by (stage, class) (increase(pagestream_dead_letters_total{${ofStage}}[1h])) > 0`]],
        }),
        graph({
          title: 'How many trusted words were lost?',
          description: 'Words of text layers that no block holds, a minute. Documents with such blocks are flagged lost-text.',
          unit: 'suffix: words/min',
          queries: [['{{lane}}', `60 * ${rate('pagestream_lost_words_total', ofLane, ['lane'])}`]],
        }),
        graph({
          title: 'How many values were not in the store?',
          description: 'Values that an event refers to, a minute: they expired, or their page was done before.',
          unit: 'suffix: values/min',
          queries: [['{{lane}}', `60 * ${rate('pagestream_claim_misses_total', ofLane, ['lane'])}`]],
        }),
        graph({
          title: 'How fast does the store answer?',
          description: '95 % of its calls, by operation.',
          unit: 's',
          queries: [['{{operation}}', quantile(0.95, 'pagestream_store_seconds', ofLane, ['operation'])]],
        }),
        graph({
          title: 'Which calls of the store fail?',
          description: 'A minute, by operation; they are made again.',
          unit: 'suffix: calls/min',
          queries: [['{{operation}}', `60 * ${rate('pagestream_store_failures_total', ofLane, ['operation'])}`]],
        }),
      ],
    },
    {
      title: 'Workers',
      panels: [
        graph({
          title: 'How many workers are up?',
          description: 'Joined and not told to stop.',
          unit: 'short',
          queries: [['{{namespace}} {{job}}', `sum by (namespace, job) (pagestream_up{${place}})`]],
        }),
        graph({
          title: 'How often were processes started anew?',
          description: 'Starts within the hour, by process.',
          unit: 'short',
          queries: [['{{pod}} {{instance}}', `sum by (pod, instance) (changes(pagestream_process_start_seconds{${place}}[1h]))`]],
        }),
        {
          kind: 'table',
          title: 'Which versions run?',
          description: 'Of pagestream and of Node; more than one is a rollout, or one that was forgotten.',
          unit: 'short',
          span: 8,
          queries: [['', `count by (version, node) (pagestream_build_info{${place}})`]],
        },
        graph({
          title: 'How much memory do processes hold?',
          description: 'All of it (rss), and the limit of the container where there is one.',
          unit: 'bytes',
          queries: [
            ['{{pod}} {{instance}}', `sum by (pod, instance) (pagestream_process_memory_bytes{kind="rss", ${place}})`],
            ['lowest limit', `min(pagestream_process_memory_limit_bytes{${place}})`],
          ],
        }),
        graph({
          title: 'How many processors do they use?',
          description: 'Processor seconds a second, all threads.',
          unit: 'short',
          queries: [['{{pod}} {{instance}}', rate('pagestream_process_cpu_seconds_total', place, ['pod', 'instance'])]],
        }),
        graph({
          title: 'Is an event loop blocked?',
          description: 'By how much timers were late since the last scrape: more than a few seconds costs heartbeats, then partitions.',
          unit: 's',
          queries: [['{{kind}}', `max by (kind) (pagestream_event_loop_lag_seconds{${place}})`]],
        }),
      ],
    },
  ],
}
