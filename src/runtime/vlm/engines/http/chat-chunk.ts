import { z } from 'zod'

const count = z.number().int().nonnegative()

/** Token counts as servers name them. */
const usageSchema = z
  .object({ prompt_tokens: count.optional(), completion_tokens: count.optional(), input_tokens: count.optional(), output_tokens: count.optional() })
  .transform((usage) => ({ promptTokens: usage.prompt_tokens ?? usage.input_tokens ?? 0, outputTokens: usage.completion_tokens ?? usage.output_tokens }))

const choiceSchema = z.object({
  delta: z.object({ content: z.string().nullish() }).nullish(),
  finish_reason: z.string().nullish(),
})

/** One event of a streamed chat. The first often has a role and no content, the last usage and no choices. */
export const chatChunkSchema = z.object({
  choices: z.array(choiceSchema).optional(),
  usage: usageSchema.nullish(),
})

/** An error as servers write it: an object in `error`, a bare sentence in `error` or `detail`, or fields beside `object: "error"`. */
const errorSchema = z.union([
  z.object({ error: z.object({ message: z.string().optional(), code: z.unknown().optional() }) }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }) => ({ message: error, code: undefined })),
  z.object({ object: z.literal('error'), message: z.string().optional(), code: z.unknown().optional() }),
  z.object({ detail: z.string() }).transform(({ detail }) => ({ message: detail, code: undefined })),
])

export interface ServerError {
  readonly message: string
  /** Its HTTP status, where it says one. */
  readonly status: number | undefined
}

/** The error that a JSON value of a server stands for; undefined where it is none. */
export function serverErrorOf(value: unknown): ServerError | undefined {
  const parsed = errorSchema.safeParse(value)
  if (!parsed.success) return undefined
  const { message = '', code } = parsed.data
  const status = typeof code === 'number' && code >= 400 && code <= 599 ? code : undefined
  return { message, status }
}

/** The value of a JSON text; undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
