import type { StubKind, StubRequest } from './stub-options.ts'

const numberAt = (value: unknown, key: string): number | undefined => {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
  return typeof found === 'number' ? found : undefined
}

/** The length of the run that the server is told not to write twice, in the field that this kind of server reads; undefined for no guard. */
export function guardTokens(kind: StubKind, { body }: StubRequest): number | undefined {
  switch (kind) {
    case 'vllm':
      return numberAt(body.vllm_xargs, 'no_repeat_ngram_size') ?? numberAt(body.vllm_xargs, 'ngram_size')
    case 'sglang':
      return typeof body.custom_logit_processor === 'string' ? numberAt(body.custom_params, 'ngram_size') : undefined
    case 'lmdeploy':
      return numberAt(body, 'repetition_ngram_size')
    case 'llama-server':
      return numberAt(body, 'dry_multiplier') ? numberAt(body, 'dry_allowed_length') : undefined
    case 'transformers':
      return typeof body.generation_config === 'string' ? numberAt(JSON.parse(body.generation_config), 'no_repeat_ngram_size') : undefined
    default:
      return undefined
  }
}
