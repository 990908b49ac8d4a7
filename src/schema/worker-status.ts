import { z } from 'zod'
import { type FailureCode, failureCodes } from './failure.ts'
import { lanes } from './lane.ts'
import { stageNames } from './stage.ts'

const count = z.number().int().min(0)
const amount = z.number().min(0)
const moment = z.iso.datetime()

const stageStatusSchema = z.object({
  stage: z.enum(stageNames),
  lane: z.enum(lanes),
  state: z.enum(['open', 'waiting', 'stopped']).describe('Takes in; waits for an engine or store; stopped by the circuit breaker, as too much failed'),
  partitions: z.array(count).describe('That are assigned to this worker'),
  isPaused: z.boolean().describe('Whether these are not read on at the moment'),
  window: z.object({
    openPages: count.describe('Pages of the window that is being filled'),
    oldestMs: amount.nullable().describe('How long its oldest page has waited; null where there is none'),
    waiting: count.describe('Windows that are closed and wait for their turn'),
    running: count.describe('Windows that are worked on'),
  }),
  pagesInFlight: count.describe('Taken in and not finished'),
  bytesHeld: count.describe('Of records that are taken in and not finished'),
  lagRecords: amount.nullable().describe('Records of these partitions that are not finished; null until the broker has told'),
  lagSeconds: amount.describe('Age of the oldest record in hand that is not finished'),
  stalledMs: amount.describe('For how long work has been in hand and nothing was finished'),
  pagesPerSecond: amount.describe('Within the last minute'),
  pages: z.object({ ok: count, failed: count }).describe('Since the process began'),
})

const laneStatusSchema = z.object({
  lane: z.enum(lanes),
  models: z.array(
    z.object({
      task: z.enum(['text-finder', 'line-reader', 'page-reader']),
      model: z.string(),
      family: z.string().describe('none where it belongs to no family of vision-language models'),
      engine: z.string(),
      device: z.string(),
      loadSeconds: amount.nullable().describe('null where it is loaded with the first picture'),
    }),
  ),
  engine: z
    .object({
      away: z.boolean().describe('It has not answered for a while; questions wait for it'),
      slots: count,
      allowed: count.describe('Slots that are used at most at the moment: fewer than there are after an overload'),
      used: count,
      waiting: count.describe('Questions that wait for a slot'),
    })
    .nullable()
    .describe('Of the vision-language model; null where there is none'),
  tokensPerSecond: z.object({ prompt: amount, output: amount }).describe('Within the last minute'),
  sending: z.object({ records: count, bytes: count }).describe('What waits to be sent to the broker'),
})

/** What a worker answers under `/status`. It holds no text of a document and no secret. */
export const workerStatusSchema = z.object({
  phase: z.enum(['starting', 'running', 'stopping']).describe('running once models are loaded and all groups are joined'),
  version: z.string().describe('Of pagestream'),
  startedAt: moment,
  restarts: count.nullable().describe('How often the process that minds this one has started it again; null where none does'),
  engineRestarts: count.describe('Times that an engine which the worker minds was started again'),
  device: z.object({ id: z.string(), name: z.string(), driver: z.string() }).nullable().describe('What models run on; null where nothing asked for a device'),
  stages: z.array(stageStatusSchema),
  lanes: z.array(laneStatusSchema),
  lastNotice: z.object({ at: moment, text: z.string() }).nullable().describe('What a person should know'),
  lastError: z
    .object({
      at: moment,
      code: z.enum(Object.keys(failureCodes) as [FailureCode, ...FailureCode[]]),
      text: z.string(),
      stage: z.enum(stageNames).optional(),
      lane: z.enum(lanes).optional(),
    })
    .nullable()
    .describe('What failed last: a page for good, or what the worker works with for now'),
})
export type WorkerStatus = z.infer<typeof workerStatusSchema>
