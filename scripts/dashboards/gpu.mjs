import { mean, rate, spread, sum } from './queries.mjs'
import { ofLane, place } from './variables.mjs'

const graph = (panel) => ({ kind: 'timeseries', span: 8, ...panel })

export const gpu = {
  uid: 'pagestream-gpu',
  title: 'pagestream / GPU and tokens',
  description: 'Are the engines kept full, what do they give, and what do they cost?',
  rows: [
    {
      title: 'How full the engines are kept',
      panels: [
        graph({
          title: 'How full is the engine?',
          description:
            'Share of its slots in use over the interval. High with a backlog: more GPUs help. Low with a backlog: something before it is the bottleneck.',
          unit: 'percentunit',
          max: 1,
          queries: [
            [
              '{{lane}}',
              `${rate('pagestream_vlm_slot_seconds_total', ofLane, ['lane'])} / (${sum('pagestream_vlm_slots', `state="all", ${ofLane}`, ['lane'])} > 0)`,
            ],
          ],
        }),
        graph({
          title: 'How busy is each GPU kept?',
          description: 'Share of the time in which a worker has at least one question under way, of the lane that asks more.',
          unit: 'percentunit',
          max: 1,
          queries: [['{{pod}} {{instance}}', `max by (pod, instance) (rate(pagestream_vlm_busy_seconds_total{${ofLane}}[$__rate_interval]))`]],
        }),
        graph({
          title: 'How many slots are there, allowed and used?',
          description: 'All that the engines have, those that may be used at the moment (fewer while an engine is overloaded), and those in use.',
          unit: 'short',
          queries: [['{{lane}} {{state}}', sum('pagestream_vlm_slots', ofLane, ['lane', 'state'])]],
        }),
        graph({
          title: 'How many questions wait for a slot?',
          description: 'In the workers. None with a backlog: the workers do not bring enough pages to the engine.',
          unit: 'short',
          queries: [['{{lane}}', sum('pagestream_vlm_waiting', ofLane, ['lane'])]],
        }),
        graph({
          title: 'How far are the stages behind that ask the model?',
          description: 'Seconds to catch up at the present rate.',
          unit: 's',
          queries: [['{{stage}} {{lane}}', `max by (stage, lane) (pagestream:backlog_seconds{stage=~"layout|region-recognition", ${ofLane}})`]],
        }),
        graph({
          title: 'Which pages come to the model at all?',
          description: 'Pages a second that the gate says need reading, wholly or in part, and all pages.',
          unit: 'suffix: pages/s',
          queries: [
            ['needs reading', `sum(rate(pagestream_gate_verdicts_total{verdict=~"needs-reading|mixed", ${ofLane}}[$__rate_interval]))`],
            ['all', `sum(rate(pagestream_gate_verdicts_total{${ofLane}}[$__rate_interval]))`],
          ],
        }),
      ],
    },
    {
      title: 'Tokens',
      panels: [
        graph({
          title: 'How many tokens a second?',
          description: 'As the engine counts them: of prompts, pictures included, and of output.',
          unit: 'suffix: tokens/s',
          queries: [['{{lane}} {{kind}}', rate('pagestream_vlm_tokens_total', ofLane, ['lane', 'kind'])]],
        }),
        graph({
          title: 'What does a page cost in output tokens?',
          description: 'Output tokens over pages that need reading: the figure for planning, with tokens a second of one GPU.',
          unit: 'suffix: tokens',
          queries: [
            [
              '{{lane}}',
              `${rate('pagestream_vlm_tokens_total', `kind="output", ${ofLane}`, ['lane'])} / ${rate('pagestream_gate_verdicts_total', `verdict=~"needs-reading|mixed", ${ofLane}`, ['lane'])}`,
            ],
          ],
        }),
        graph({
          title: 'What does one worker say of its own tokens?',
          description: 'The gauge for those without Prometheus: tokens a second within the last minute.',
          unit: 'suffix: tokens/s',
          queries: [['{{kind}} {{instance}}', sum('pagestream_tokens_per_second', ofLane, ['kind', 'instance'])]],
        }),
      ],
    },
    {
      title: 'Answers',
      panels: [
        graph({
          title: 'How long until the first token?',
          description: 'From a question until the first token of its answer: it rises when the engine queues or prompts are long.',
          unit: 's',
          queries: spread('pagestream_vlm_first_token_seconds', ofLane, ['lane'], '{{lane}}'),
        }),
        graph({
          title: 'How long does an answer take?',
          description: 'From a question until the end of its answer.',
          unit: 's',
          queries: spread('pagestream_vlm_answer_seconds', ofLane, ['lane'], '{{lane}}'),
        }),
        graph({
          title: 'How many questions are asked a second?',
          description: 'Sent to the model, and of these again.',
          unit: 'suffix: questions/s',
          queries: [
            ['asked', `sum(rate(pagestream_vlm_asks_total{${ofLane}}[$__rate_interval]))`],
            ['again', `sum(rate(pagestream_vlm_retries_total{${ofLane}}[$__rate_interval]))`],
          ],
        }),
        graph({
          title: 'How do answers end?',
          description: 'By themselves (stop), at their limit of tokens (length), or ended by a guard as they ran in circles (stopped).',
          unit: 'suffix: answers/s',
          stacked: true,
          queries: [['{{finish}}', rate('pagestream_vlm_answers_total', ofLane, ['finish'])]],
        }),
        graph({
          title: 'Which questions fail for good?',
          description: 'A minute, by code of failure; docs/errors.md says what each means.',
          unit: 'suffix: questions/min',
          queries: [['{{code}}', `60 * ${rate('pagestream_vlm_failures_total', ofLane, ['code'])}`]],
        }),
        graph({
          title: 'How many blocks could the model not read?',
          description: 'Share of the blocks meant for it that something else had to read: they are flagged as fallback.',
          unit: 'percentunit',
          max: 1,
          queries: [
            [
              '{{lane}}',
              `${rate('pagestream_block_sources_total', `source="fallback", ${ofLane}`, ['lane'])} / ${rate('pagestream_block_sources_total', `source=~"model|fallback", ${ofLane}`, ['lane'])}`,
            ],
          ],
        }),
      ],
    },
    {
      title: 'What runs',
      panels: [
        {
          kind: 'table',
          title: 'Which models run where?',
          description: 'Name and revision, family, engine and device of every model, and how many workers have it.',
          unit: 'short',
          span: 12,
          queries: [['', `count by (task, model, family, engine, device) (max without (lane) (pagestream_model_info{${ofLane}}))`]],
        },
        {
          kind: 'table',
          title: 'Which devices are there?',
          description: 'Devices that workers were told to use, with their driver.',
          unit: 'short',
          span: 6,
          queries: [['', `count by (name, driver) (pagestream_device_info{${place}})`]],
        },
        graph({
          title: 'How long do models take to load?',
          description: 'The slowest; the startup probe must allow for it.',
          unit: 's',
          span: 6,
          queries: [['{{task}} {{model}}', `max by (task, model) (pagestream_model_load_seconds{${ofLane}})`]],
        }),
        graph({
          title: 'How long does a window of these stages work?',
          description: 'Mean seconds until the outcome of its last page, of the stages that ask the model.',
          unit: 's',
          span: 24,
          queries: [
            ['{{stage}} {{lane}}', mean('pagestream_window_phase_seconds', `phase="work", stage=~"layout|region-recognition", ${ofLane}`, ['stage', 'lane'])],
          ],
        }),
      ],
    },
  ],
}
