import { single } from './metric.ts'
import { ofLane, ofLaneBy, type WorkerMetric } from './of-worker.ts'

const lane = ['lane'] as const

/** The models; what was asked of the vision-language model, what it cost and how full its engine was kept. */
export const modelMetrics = [
  {
    ...{ name: 'pagestream_model_info', type: 'gauge', unit: 'none', labels: ['lane', 'task', 'model', 'family', 'engine', 'device'] },
    help: '1 for each model that a lane works with: what it does, its name and revision as in its manifest or server, what runs it and where.',
    read: ({ view: { lanes } }) =>
      lanes.flatMap(({ lane, counters }) => counters.models.map(({ loadSeconds: _, ...model }) => ({ labels: { lane, ...model }, value: 1 }))),
  },
  {
    ...{ name: 'pagestream_model_load_seconds', type: 'gauge', unit: 'seconds', labels: ['lane', 'task', 'model'] },
    help: 'How long the model took to load and to try; nothing for one that is loaded with its first picture.',
    read: ({ view: { lanes } }) =>
      lanes.flatMap(({ lane, counters }) =>
        counters.models.flatMap(({ task, model, loadSeconds }) => (loadSeconds === undefined ? [] : [{ labels: { lane, task, model }, value: loadSeconds }])),
      ),
  },
  {
    ...{ name: 'pagestream_vlm_asks_total', type: 'counter', unit: 'none', labels: lane },
    help: 'Questions that were sent to the vision-language model, those that were sent again too.',
    read: ofLane(({ vlm }) => vlm.asked),
  },
  {
    ...{ name: 'pagestream_vlm_answers_total', type: 'counter', unit: 'none', labels: ['lane', 'finish'] },
    help: 'Answers by how they ended: stop by themselves, length at their limit of tokens, stopped by a guard as they ran in circles.',
    read: ofLaneBy('finish', ({ vlm }) => vlm.answered),
  },
  {
    ...{ name: 'pagestream_vlm_failures_total', type: 'counter', unit: 'none', labels: ['lane', 'code'] },
    help: 'Questions that have failed for good, by code of failure.',
    read: ofLaneBy('code', ({ vlm }) => vlm.failed),
  },
  {
    ...{ name: 'pagestream_vlm_retries_total', type: 'counter', unit: 'none', labels: lane },
    help: 'Questions that were sent again.',
    read: ofLane(({ vlm }) => vlm.retries),
  },
  {
    ...{ name: 'pagestream_vlm_tokens_total', type: 'counter', unit: 'tokens', labels: ['lane', 'kind'] },
    help: "Tokens as the engine counts them: of prompts, pictures included, and of output. image is the part of prompt that pictures are by the family's formula: never add it. Their rate is tokens per second.",
    read: ofLaneBy('kind', ({ vlm }) => ({ prompt: vlm.promptTokens, image: vlm.imageTokens, output: vlm.outputTokens })),
  },
  {
    ...{ name: 'pagestream_vlm_first_token_seconds', type: 'histogram', unit: 'seconds', labels: lane },
    help: 'From a question until the first token of its answer.',
    read: ofLane(({ vlm }) => vlm.firstTokenSeconds),
  },
  {
    ...{ name: 'pagestream_vlm_answer_seconds', type: 'histogram', unit: 'seconds', labels: lane },
    help: 'From a question until the end of its answer.',
    read: ofLane(({ vlm }) => vlm.answerSeconds),
  },
  {
    ...{ name: 'pagestream_vlm_busy_seconds_total', type: 'counter', unit: 'seconds', labels: lane },
    help: 'Seconds with at least one question under way: the rate is how busy the GPU is kept.',
    read: ofLane(({ vlm }) => vlm.busySeconds),
  },
  {
    ...{ name: 'pagestream_vlm_slot_seconds_total', type: 'counter', unit: 'seconds', labels: lane },
    help: 'Sum of the times that slots were used: its rate divided by the slots is how full the engine is kept.',
    read: ofLane(({ vlm }) => vlm.slotSeconds),
  },
  {
    ...{ name: 'pagestream_vlm_slots', type: 'gauge', unit: 'none', labels: ['lane', 'state'] },
    help: 'Slots of the engine: all that it has, allowed at the moment, used.',
    read: ofLaneBy('state', ({ vlm }) => ({ all: vlm.slots, allowed: vlm.slotsAllowed, used: vlm.slotsUsed })),
  },
  {
    ...{ name: 'pagestream_engine_restarts_total', type: 'counter', unit: 'none', labels: [] },
    help: 'Times that an engine which the worker minds (a server, a library in a process of its own) fell and was started again.',
    read: ({ view: { lanes, engineRestarts } }) => single(lanes.reduce((sum, { counters }) => sum + counters.vlm.restarts, engineRestarts)),
  },
  {
    ...{ name: 'pagestream_vlm_waiting', type: 'gauge', unit: 'none', labels: lane },
    help: 'Questions that wait in the worker for a slot.',
    read: ofLane(({ vlm }) => vlm.waiting),
  },
  {
    ...{ name: 'pagestream_title_levels_total', type: 'counter', unit: 'documents', labels: ['lane', 'outcome'] },
    help: 'Documents whose headings a model was asked to give levels: told, or kept as they were without an answer that counts.',
    read: ofLaneBy('outcome', ({ titleLevels }) => titleLevels),
  },
] as const satisfies readonly WorkerMetric[]
