import { quantile, rate, spread } from './queries.mjs'
import { ofLane, ofStage, place } from './variables.mjs'

const perSecond = 'suffix: pages/s'
const stat = (panel) => ({ kind: 'stat', span: 4, ...panel })
const graph = (panel) => ({ kind: 'timeseries', ...panel })

export const overview = {
  uid: 'pagestream-overview',
  title: 'pagestream / Overview',
  description: 'Do documents come through, how fast, and what holds them up?',
  rows: [
    {
      title: 'At a glance',
      panels: [
        stat({
          title: 'How many alerts are firing?',
          description: 'Alerts of pagestream that fire at the moment; the reliability dashboard names them.',
          unit: 'short',
          queries: [['', `count(ALERTS{alertname=~"Pagestream.+", alertstate="firing", ${place}}) or vector(0)`]],
          thresholds: [
            [null, 'green'],
            [1, 'red'],
          ],
        }),
        stat({
          title: 'How many workers are up?',
          description: 'Workers that have joined their groups and are not told to stop.',
          unit: 'short',
          queries: [['', `sum(pagestream_up{${place}})`]],
          thresholds: [
            [null, 'red'],
            [1, 'green'],
          ],
        }),
        stat({
          title: 'How many pages a second leave the chain?',
          description: 'Pages that have arrived at their document, whatever they held.',
          unit: perSecond,
          queries: [['', `sum(rate(pagestream_pages_total{stage="assemble", ${ofLane}}[$__rate_interval]))`]],
        }),
        stat({
          title: 'How long does a live document wait for its first page?',
          description: 'From submission until blocks of page 1 can be read, for 95 % of live documents. The objective is 60 s for 99 %.',
          unit: 's',
          queries: [['', quantile(0.95, 'pagestream_first_page_seconds', `${place}, lane="live"`)]],
          thresholds: [
            [null, 'green'],
            [60, 'red'],
          ],
        }),
        stat({
          title: 'How far is the slowest stage behind?',
          description: 'The longest that any stage takes to catch up at its present rate: records that wait over records finished a second.',
          unit: 'dtdurations',
          queries: [['', `max(pagestream:backlog_seconds{${ofStage}})`]],
          thresholds: [
            [null, 'green'],
            [300, 'orange'],
          ],
        }),
        stat({
          title: 'How many documents ended badly within the hour?',
          description: 'Documents that ended as partial or failed.',
          unit: 'short',
          queries: [['', `round(sum(increase(pagestream_documents_total{status!="complete", ${ofLane}}[1h])))`]],
          thresholds: [
            [null, 'green'],
            [1, 'orange'],
          ],
        }),
      ],
    },
    {
      title: 'What comes out',
      panels: [
        graph({
          title: 'How many pages a second does each stage finish?',
          description: 'In balance all stages finish alike; the one below the others is the bottleneck, or has nothing to do.',
          unit: perSecond,
          queries: [['{{stage}}', rate('pagestream_pages_total', ofStage, ['stage'])]],
        }),
        graph({
          title: 'How many documents end a minute, and how?',
          description: 'Complete, partial (some pages could not be read) or failed.',
          unit: 'suffix: documents/min',
          stacked: true,
          queries: [['{{lane}} {{status}}', `60 * ${rate('pagestream_documents_total', ofLane, ['lane', 'status'])}`]],
        }),
        graph({
          title: 'How long until the first page can be read?',
          description: 'From the submission of a document until blocks of its first page are on their topic.',
          unit: 's',
          exemplars: true,
          queries: spread('pagestream_first_page_seconds', ofLane, ['lane'], '{{lane}}'),
        }),
        graph({
          title: 'How long until a document is done?',
          description: 'From the submission of a document until it was assembled, whatever its status and length.',
          unit: 's',
          exemplars: true,
          queries: spread('pagestream_document_seconds', ofLane, ['lane'], '{{lane}}'),
        }),
      ],
    },
    {
      title: 'What holds it up',
      panels: [
        graph({
          title: 'How far is each stage behind?',
          description: 'Seconds to catch up at the present rate. A stage that finishes less than one record a minute counts as one that finishes so many.',
          unit: 's',
          queries: [['{{stage}} {{lane}}', `max by (stage, lane) (pagestream:backlog_seconds{${ofStage}})`]],
        }),
        graph({
          title: 'How busy is each stage?',
          description: 'Share of the time in which a worker has a window of the stage in work, over all its workers: near 100 % more workers help.',
          unit: 'percentunit',
          max: 1,
          queries: [['{{stage}} {{lane}}', `avg by (stage, lane) (rate(pagestream_busy_seconds_total{${ofStage}}[$__rate_interval]))`]],
        }),
        graph({
          title: 'What fails for good?',
          description: 'Dead letters a minute by class of failure: input is for the sender to mend, all others for us.',
          unit: 'suffix: letters/min',
          stacked: true,
          queries: [['{{stage}} {{class}}', `60 * ${rate('pagestream_dead_letters_total', ofStage, ['stage', 'class'])} > 0`]],
        }),
        graph({
          title: 'Does every stage take in?',
          description: 'Workers that wait for an engine or the store, and such whose circuit breaker is open. Nothing is drawn while all are open.',
          unit: 'short',
          queries: [['{{stage}} {{lane}} {{state}}', `sum by (stage, lane, state) (pagestream_intake{state!="open", ${ofStage}}) > 0`]],
        }),
      ],
    },
    {
      title: 'What the documents are like',
      panels: [
        graph({
          title: 'How many pages need reading?',
          description: 'Verdicts of the gate: blank, a text layer that is trusted, needs reading, or mixed. Only the last two cost a model anything.',
          unit: perSecond,
          stacked: true,
          queries: [['{{verdict}}', rate('pagestream_gate_verdicts_total', ofLane, ['verdict'])]],
        }),
        graph({
          title: 'What are the blocks read from?',
          description: 'Text layer, line reader (ocr), vision-language model, what stands in where that could not read them (fallback), or nothing.',
          unit: 'suffix: blocks/s',
          stacked: true,
          queries: [['{{source}}', rate('pagestream_block_sources_total', ofLane, ['source'])]],
        }),
      ],
    },
  ],
}
