import { quantile, rate, sum } from './queries.mjs'
import { ofLane, ofStage } from './variables.mjs'

const by = ['stage', 'lane']
const legend = '{{stage}} {{lane}}'
const graph = (panel) => ({ kind: 'timeseries', span: 8, ...panel })

export const kafka = {
  uid: 'pagestream-kafka',
  title: 'pagestream / Kafka',
  description: 'What waits on the topics, do groups stand still, and does the broker take what is sent?',
  rows: [
    {
      title: 'Lag',
      panels: [
        graph({
          title: 'How many records wait?',
          description:
            'Of the partitions that workers have: not finished, as the broker told within the last seconds. Partitions without a worker are not in it.',
          unit: 'suffix: records',
          queries: [[legend, sum('pagestream_lag_records', ofStage, by)]],
        }),
        graph({
          title: 'How old is the oldest record in hand?',
          description: 'Since it was sent. It rises steadily when a page is stuck: what is behind it on its partition is not committed.',
          unit: 's',
          queries: [[legend, `max by (stage, lane) (pagestream_lag_seconds{${ofStage}})`]],
        }),
        graph({
          title: 'How long does it take to catch up?',
          description: 'Records that wait over records finished a second: what autoscaling goes by.',
          unit: 's',
          queries: [[legend, `max by (stage, lane) (pagestream:backlog_seconds{${ofStage}})`]],
        }),
      ],
    },
    {
      title: 'Groups',
      panels: [
        graph({
          title: 'How many records a second are finished?',
          description: 'A record of page-render is a document, of all others a page.',
          unit: 'suffix: records/s',
          queries: [[legend, rate('pagestream_records_total', ofStage, by)]],
        }),
        graph({
          title: 'How many partitions has each worker?',
          description: 'A worker with none idles: no more workers than partitions can share a lane.',
          unit: 'suffix: partitions',
          queries: [['{{stage}} {{lane}} {{instance}}', sum('pagestream_partitions', ofStage, [...by, 'instance'])]],
        }),
        graph({
          title: 'How many partitions are not read on?',
          description: 'Paused as enough is in hand or the stage does not take in. For a stage at full load that is usual.',
          unit: 'suffix: partitions',
          queries: [[legend, sum('pagestream_partitions_paused', ofStage, by)]],
        }),
        graph({
          title: 'How often are partitions assigned anew?',
          description: 'Within ten minutes, of the worker that saw most. More than a few without a rollout or scaling: members are lost and come back.',
          unit: 'short',
          queries: [[legend, `max by (stage, lane) (increase(pagestream_rebalances_total{${ofStage}}[10m]))`]],
        }),
        graph({
          title: 'How many commits does the broker take?',
          description: 'Each says how far a partition was finished: none with a lag means that its oldest page is stuck.',
          unit: 'suffix: commits/s',
          queries: [[legend, rate('pagestream_commits_total', ofStage, by)]],
        }),
        graph({
          title: 'How many commits come too late?',
          description: 'A minute: the partition had another owner, and its records come again there. Some with each rebalance are usual.',
          unit: 'suffix: commits/min',
          queries: [[legend, `60 * ${rate('pagestream_stale_commits_total', ofStage, by)}`]],
        }),
      ],
    },
    {
      title: 'Sending',
      panels: [
        graph({
          title: 'How long until the broker has acknowledged?',
          description: 'From when records were asked to be sent, waiting in the queue included.',
          unit: 's',
          queries: [
            ['{{lane}} half within', quantile(0.5, 'pagestream_publish_seconds', ofLane, ['lane'])],
            ['{{lane}} 99 % within', quantile(0.99, 'pagestream_publish_seconds', ofLane, ['lane'])],
          ],
        }),
        graph({
          title: 'How many records wait to be sent?',
          description: 'In all workers. It grows while the broker takes nothing; then the intake is held back.',
          unit: 'suffix: records',
          queries: [['{{lane}}', sum('pagestream_publish_queue_records', ofLane, ['lane'])]],
        }),
        graph({
          title: 'How many bytes wait to be sent?',
          description: 'Of these records.',
          unit: 'bytes',
          queries: [['{{lane}}', sum('pagestream_publish_queue_bytes', ofLane, ['lane'])]],
        }),
      ],
    },
    {
      title: 'In hand',
      panels: [
        graph({
          title: 'How many pages are in hand?',
          description: 'Taken in and not finished: what comes again when all workers are killed.',
          unit: 'suffix: pages',
          span: 12,
          queries: [[legend, sum('pagestream_pages_in_flight', ofStage, by)]],
        }),
        graph({
          title: 'How many bytes of records are held?',
          description: 'By all workers, of records that they have taken in and not finished.',
          unit: 'bytes',
          span: 12,
          queries: [[legend, sum('pagestream_records_held_bytes', ofStage, by)]],
        }),
      ],
    },
  ],
}
