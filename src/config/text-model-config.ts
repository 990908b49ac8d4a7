import { z } from 'zod'

/** Less than `worker.stallMs`, with one answer of the other lane and two that wait: a worker that waits for its model has not stalled. */
const longestAnswerMs = 120_000

/** A language model for questions about text alone, of the worker's own. */
export const textModelConfigSchema = z.strictObject({
  file: z
    .string()
    .default('')
    .describe('GGUF file of a language model that is asked for the levels of the headings of each document, whoever read it; empty = none'),
  package: z.string().default('').describe('Folder of the package node-llama-cpp, which runs it; empty = where packages of pagestream are found'),
  timeoutMs: z
    .number()
    .int()
    .positive()
    .max(longestAnswerMs)
    .default(longestAnswerMs)
    .describe('Longest time for the answer about one document; then its headings stay as they are'),
})
export type TextModelConfig = z.infer<typeof textModelConfigSchema>
