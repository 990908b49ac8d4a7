import { promptTokensOf } from './stub-answering.ts'
import type { StubKind, StubOptions, StubRequest } from './stub-options.ts'

export interface StubRefusal {
  readonly status: number
  readonly message: string
  readonly type?: string
}

/** What `transformers serve` does not use, and refuses. */
const unusedByTransformers = ['stream_options', 'presence_penalty', 'max_completion_tokens', 'stop', 'n', 'logprobs']
/** What the protocol does not know. */
const unknownToOpenai = ['top_k', 'repetition_penalty', 'skip_special_tokens', 'vllm_xargs', 'cache_prompt', 'images_config']

function fieldRefusal(kind: StubKind, { body }: StubRequest): StubRefusal | undefined {
  const unwanted = kind === 'transformers' ? unusedByTransformers : kind === 'openai' ? unknownToOpenai : []
  const found = unwanted.find((field) => body[field] !== undefined)
  if (found !== undefined) return { status: kind === 'openai' ? 400 : 422, message: `Unexpected key in the request: ${found}` }
  const breakers = body.dry_sequence_breakers
  if (kind === 'llama-server' && Array.isArray(breakers) && breakers.length === 0) {
    return { status: 400, message: 'Error: dry_sequence_breakers must be a non-empty array of strings', type: 'invalid_request_error' }
  }
  return undefined
}

const isPicture = (bytes: Buffer): boolean => bytes.toString('latin1', 1, 4) === 'PNG' || bytes.readUInt16BE(0) === 0xffd8

/** Why the server takes no such question; undefined where it does. */
export function refuseAsStub(options: StubOptions, request: StubRequest): StubRefusal | undefined {
  const { kind, model, contextTokens } = options
  if (kind !== 'llama-server' && kind !== 'mlx' && request.body.model !== model) {
    return { status: 404, message: `The model \`${String(request.body.model)}\` does not exist.`, type: 'NotFoundError' }
  }
  const refusal = fieldRefusal(kind, request)
  if (refusal !== undefined) return refusal
  if (request.pictures.some((picture) => !isPicture(Buffer.concat([picture.bytes(), Buffer.alloc(4)])))) {
    return { status: 400, message: 'Failed to load image or audio file', type: 'invalid_request_error' }
  }
  const tokens = promptTokensOf(request)
  if (contextTokens !== undefined && tokens > contextTokens) {
    return { status: 400, message: `the request exceeds the available context size (${tokens} > ${contextTokens})`, type: 'exceed_context_size_error' }
  }
  return undefined
}
