import { describe, expect, it } from 'vitest'
import type { Ask, Decoding } from '../../../../../../../src/runtime/vlm/engine.ts'
import type { ServerKind } from '../../../../../../../src/runtime/vlm/engines/http/dialects/dialect.ts'
import { dialectFor } from '../../../../../../../src/runtime/vlm/engines/http/dialects/dialect-for.ts'
import type { VlmFamily } from '../../../../../../../src/runtime/vlm/page-reader.ts'
import { PagestreamError } from '../../../../../../../src/schema/failure.ts'

const mineruDecoding: Decoding = {
  ...{ temperature: 0, topP: 0.01, topK: 1, repetitionPenalty: 1, presencePenalty: 1, frequencyPenalty: 0.005 },
  noRepeat: { tokens: 100 },
}
const unlimitedDecoding: Decoding = {
  ...{ temperature: 0, topP: 1, topK: 1, repetitionPenalty: 1, presencePenalty: 0, frequencyPenalty: 0 },
  noRepeat: { tokens: 35, window: 128 },
}

const picture = { bytes: new Uint8Array(), mediaType: 'image/png', width: 1, height: 1 } as const
const system = 'You are a helpful assistant.'
const asks: Readonly<Record<VlmFamily, Ask>> = {
  'mineru2.5': { task: 'table', system, prompt: '\nTable Recognition:', picture, decoding: mineruDecoding, maxTokens: 4096 },
  teleocr: { task: 'seal', system, prompt: '\nSeal Recognition:', picture, decoding: mineruDecoding, maxTokens: 4096 },
  'unlimited-ocr': { task: 'page', prompt: 'document parsing.', picture, decoding: unlimitedDecoding, maxTokens: 8192 },
}

const url = 'data:image/png;base64,AAAA'
const bodyOf = (family: VlmFamily, kind: ServerKind, logitProcessor = '') =>
  dialectFor(family, kind, { logitProcessor }).body({ ask: asks[family], model: 'm', pictureUrl: url })

const image = { type: 'image_url', image_url: { url } }
const chat = (prompt: string) => [
  { role: 'system', content: system },
  { role: 'user', content: [image, { type: 'text', text: prompt }] },
]
const usage = { stream_options: { include_usage: true } }
const mineru = { model: 'm', messages: chat('\nTable Recognition:'), stream: true, max_tokens: 4096, temperature: 0, top_p: 0.01 }
const teleocr = { ...mineru, messages: chat('\nSeal Recognition:') }
const unlimited = {
  ...{ model: 'm', stream: true, max_tokens: 8192, temperature: 0, top_p: 1 },
  messages: [{ role: 'user', content: [image, { type: 'text', text: 'document parsing.' }] }],
}
const penalties = { presence_penalty: 1, frequency_penalty: 0.005 }
const noPenalties = { presence_penalty: 0, frequency_penalty: 0 }
const sampling = { top_k: 1, repetition_penalty: 1 }
const dry = { dry_multiplier: 0.8, dry_base: 1.75, dry_sequence_breakers: ['\u0001'] }

const bodies: readonly (readonly [VlmFamily, ServerKind, Readonly<Record<string, unknown>>])[] = [
  ['mineru2.5', 'vllm', { ...mineru, ...usage, ...penalties, ...sampling, skip_special_tokens: false, vllm_xargs: { no_repeat_ngram_size: 100 } }],
  ['mineru2.5', 'sglang', { ...mineru, ...usage, ...penalties, ...sampling, skip_special_tokens: false }],
  ['mineru2.5', 'lmdeploy', { ...mineru, ...usage, ...sampling, skip_special_tokens: false, repetition_ngram_size: 100, repetition_ngram_threshold: 3 }],
  [
    'mineru2.5',
    'llama-server',
    {
      ...{ ...mineru, ...usage, ...penalties, top_k: 1, repeat_penalty: 1, cache_prompt: false },
      ...{ ...dry, dry_allowed_length: 100, dry_penalty_last_n: 1024 },
    },
  ],
  ['mineru2.5', 'mlx', { ...mineru, ...usage, ...sampling }],
  [
    'mineru2.5',
    'transformers',
    { ...mineru, generation_config: '{"max_new_tokens":4096,"do_sample":false,"top_k":1,"repetition_penalty":1,"no_repeat_ngram_size":100}' },
  ],
  ['mineru2.5', 'openai', { ...mineru, ...usage, ...penalties }],
  ['teleocr', 'vllm', { ...teleocr, ...usage, ...penalties, ...sampling, skip_special_tokens: false, vllm_xargs: { no_repeat_ngram_size: 100 } }],
  [
    'teleocr',
    'transformers',
    { ...teleocr, generation_config: '{"max_new_tokens":4096,"do_sample":false,"top_k":1,"repetition_penalty":1,"no_repeat_ngram_size":100}' },
  ],
  ['teleocr', 'openai', { ...teleocr, ...usage, ...penalties }],
  [
    'unlimited-ocr',
    'vllm',
    {
      ...unlimited,
      messages: [{ role: 'user', content: [{ type: 'text', text: '<image>document parsing.' }, image] }],
      ...{ ...usage, ...noPenalties, ...sampling, skip_special_tokens: false, vllm_xargs: { ngram_size: 35, window_size: 128 } },
    },
  ],
  ['unlimited-ocr', 'sglang', { ...unlimited, ...usage, ...noPenalties, ...sampling, skip_special_tokens: false, images_config: { image_mode: 'gundam' } }],
  [
    'unlimited-ocr',
    'llama-server',
    {
      ...{ ...unlimited, ...usage, ...noPenalties, top_k: 1, repeat_penalty: 1, cache_prompt: false },
      ...{ ...dry, dry_allowed_length: 35, dry_penalty_last_n: 128 },
    },
  ],
  ['unlimited-ocr', 'mlx', { ...unlimited, ...usage, ...sampling }],
  ['unlimited-ocr', 'transformers', { ...unlimited, generation_config: '{"max_new_tokens":8192,"do_sample":false,"top_k":1,"repetition_penalty":1}' }],
  ['unlimited-ocr', 'openai', { ...unlimited, ...usage, ...noPenalties }],
]

describe('dialects', () => {
  it.each(bodies)('asks %s on %s in exactly these fields', (family, kind, body) => {
    expect(bodyOf(family, kind)).toEqual(body)
  })

  it('carries the logit processor of SGLang where one is configured, for the family that it is made for', () => {
    const guard = { custom_logit_processor: '{"callable":"80"}', custom_params: { ngram_size: 35, window_size: 128 } }
    expect(bodyOf('unlimited-ocr', 'sglang', '{"callable":"80"}')).toMatchObject(guard)
    expect(bodyOf('mineru2.5', 'sglang', '{"callable":"80"}')).not.toHaveProperty('custom_logit_processor')
  })

  it('asks without a picture in words alone', () => {
    const { picture: _, ...wordsOnly } = asks['unlimited-ocr']
    const body = dialectFor('unlimited-ocr', 'vllm').body({ ask: wordsOnly, model: 'm', pictureUrl: undefined })
    expect(body.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'document parsing.' }] }])
  })

  it('sends no guard where none is wanted', () => {
    const { noRepeat: _, ...decoding } = mineruDecoding
    for (const kind of ['vllm', 'lmdeploy', 'llama-server', 'transformers'] as const) {
      const body = dialectFor('mineru2.5', kind).body({ ask: { ...asks['mineru2.5'], decoding }, model: 'm', pictureUrl: url })
      expect(JSON.stringify(body)).not.toMatch(/ngram|dry_/)
    }
  })

  it.each([
    ['teleocr', 'sglang'],
    ['teleocr', 'lmdeploy'],
    ['teleocr', 'llama-server'],
    ['teleocr', 'mlx'],
    ['unlimited-ocr', 'lmdeploy'],
  ] as const)('refuses %s on %s and names what to use instead', (family, kind) => {
    try {
      dialectFor(family, kind)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(PagestreamError)
      expect(error).toMatchObject({ code: 'engine-refused', message: expect.stringMatching(/does not run on .*Set vlm\.engine\.kind to vllm/) })
    }
  })
})
