import type { ServerResponse } from 'node:http'
import type { Generation, StubClockwork } from './stub-clockwork.ts'
import { guardTokens } from './stub-guard.ts'
import type { StubAnswer, StubFault, StubOptions, StubRequest } from './stub-options.ts'
import { type StubAnswerWriter, StubStream } from './stub-stream.ts'
import { pictureTokens, tokensOf, withoutSpecials } from './stub-tokens.ts'
import { StubWholeAnswer } from './stub-whole-answer.ts'

const endOfContext = 16_384
const limitOfLmdeploy = 512
const refusalText = "I'm sorry, but I can't assist with that request."
const chatText = 'Sure! How can I help you with this picture today?'

/** Kinds that drop special tokens unless they are told not to. */
const dropsByDefault = new Set(['vllm', 'sglang'])

function keepsSpecials({ kind, stripsSpecials }: StubOptions, { body }: StubRequest): boolean {
  return stripsSpecials !== true && !(dropsByDefault.has(kind) && body.skip_special_tokens !== false)
}

async function textOf(options: StubOptions, request: StubRequest, fault: StubFault | undefined): Promise<StubAnswer> {
  if (fault?.kind === 'empty') return ''
  if (fault?.kind === 'refusal') return refusalText
  if (fault?.kind === 'never-ending') return { text: '', loop: ' la' }
  return options.wrongTemplate ? chatText : options.script(request)
}

/** The tokens of an answer, and how it ends. Loops are written out lazily. */
interface Plan {
  readonly length: number
  readonly finish: 'stop' | 'length'
  token(index: number): string
}

function planOf(options: StubOptions, request: StubRequest, answer: StubAnswer): Plan {
  const keep = keepsSpecials(options, request)
  const shown = (text: string) => (keep ? text : withoutSpecials(text))
  const begin = tokensOf(shown(typeof answer === 'string' ? answer + (options.endMark ?? '') : answer.text))
  const loop = typeof answer === 'string' ? [] : tokensOf(shown(answer.loop))
  const limit = request.maxTokens ?? (options.kind === 'lmdeploy' ? limitOfLmdeploy : endOfContext)
  const guard = options.ignoresGuards ? undefined : guardTokens(options.kind, request)
  const natural = loop.length === 0 ? begin.length : begin.length + (guard ?? Number.POSITIVE_INFINITY)
  const length = options.ignoresLimit ? natural : Math.min(natural, limit)
  return {
    length,
    finish: natural > limit && !options.ignoresLimit ? 'length' : 'stop',
    token: (index) => begin[index] ?? loop[(index - begin.length) % loop.length] ?? '',
  }
}

export const promptTokensOf = ({ prompt, system = '', pictures }: StubRequest): number =>
  tokensOf(system).length + tokensOf(prompt).length + pictures.reduce((sum, picture) => sum + pictureTokens(picture), 0) + 8

/** Counts for /metrics and for tests. */
export interface StubCounts {
  promptTokens: number
  outputTokens: number
  answered: number
  aborted: number
}

/** Acts out what goes wrong at this place; true when the answer is over. */
function actOut(fault: StubFault, stream: StubAnswerWriter, response: ServerResponse): boolean {
  switch (fault.kind) {
    case 'cut':
      stream.open()
      response.destroy()
      return true
    case 'broken-chunk':
      stream.open()
      response.socket?.end('zz\r\nno chunk\r\n')
      return true
    case 'stream-error':
      stream.raw(
        `data: ${JSON.stringify({ error: { message: fault.message ?? 'EngineCore encountered an issue.', type: 'InternalServerError', code: 500 } })}\n\n`,
      )
      response.end('data: [DONE]\n\n')
      return true
    case 'invalid-utf8':
      stream.raw(Buffer.concat([Buffer.from('data: {"choices":[{"delta":{"content":"'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}}]}\n\n')]))
      return false
    case 'not-json':
      stream.raw('data: {"choices":[{"delta"\n\n')
      return false
    case 'no-end':
      stream.raw('data: [DONE]\n\n')
      response.end()
      return true
    case 'silence':
      return true
    default:
      return false
  }
}

/** Answers a question that the server has taken; resolves when its work is queued. */
export async function answerAsStub(
  options: StubOptions,
  clockwork: StubClockwork,
  counts: StubCounts,
  request: StubRequest,
  fault: StubFault | undefined,
  response: ServerResponse,
): Promise<void> {
  const plan = planOf(
    { ...options, ...(fault?.kind === 'never-ending' ? { ignoresLimit: true, ignoresGuards: true } : {}) },
    request,
    await textOf(options, request, fault),
  )
  if (response.destroyed) return
  const promptTokens = promptTokensOf(request)
  const includeUsage = (request.body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true
  const stream: StubAnswerWriter =
    request.body.stream === true
      ? new StubStream(response, { kind: options.kind, model: options.model, includeUsage, fault, comments: options.comments === true })
      : new StubWholeAnswer(response, options.model)
  const faultAt = fault !== undefined && 'afterTokens' in fault ? fault.afterTokens : -1
  let isOver = false
  const generation: Generation = {
    promptTokens,
    tokens: faultAt >= 0 && fault?.kind === 'silence' ? Number.POSITIVE_INFINITY : plan.length,
    write: (from, to) => {
      if (from === 0) counts.promptTokens += promptTokens
      for (let index = from; index < to && !isOver; index++) {
        if (fault !== undefined && index === faultAt) isOver = actOut(fault, stream, response)
      }
      if (isOver) return
      counts.outputTokens += to - from
      let content = ''
      for (let index = from; index < to; index++) content += plan.token(index)
      stream.piece(content)
    },
    ended: () => {
      counts.answered += 1
      if (!isOver) stream.end({ finish: plan.finish, promptTokens, outputTokens: plan.length })
    },
  }
  response.once('close', () => {
    if (!response.writableFinished) counts.aborted += 1
    clockwork.remove(generation)
  })
  clockwork.add(generation)
}
