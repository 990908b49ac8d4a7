import { PagestreamError } from '../../../../../schema/failure.ts'
import type { VlmFamily } from '../../../page-reader.ts'
import type { Dialect, DialectOptions, ServerKind } from './dialect.ts'
import { llamaServerDialect } from './llama-server.ts'
import { lmdeployDialect } from './lmdeploy.ts'
import { mlxDialect } from './mlx.ts'
import { openaiDialect } from './openai.ts'
import { sglangDialect } from './sglang.ts'
import { transformersDialect } from './transformers.ts'
import { vllmDialect } from './vllm.ts'

const dialects: Readonly<Record<ServerKind, (family: VlmFamily, options: DialectOptions) => Dialect>> = {
  vllm: vllmDialect,
  sglang: sglangDialect,
  lmdeploy: lmdeployDialect,
  'llama-server': llamaServerDialect,
  mlx: mlxDialect,
  transformers: transformersDialect,
  openai: openaiDialect,
}

const withoutNorms = 'its code for Qwen2.5-VL leaves out the norms of queries and keys, so that the model writes gibberish'

/** Pairs that load and give nonsense, or do not load at all. */
const unableReasons: Readonly<Partial<Record<VlmFamily, Partial<Record<ServerKind, string>>>>> = {
  teleocr: { sglang: withoutNorms, lmdeploy: withoutNorms, 'llama-server': withoutNorms, mlx: withoutNorms },
  'unlimited-ocr': { lmdeploy: 'it has no class for this model' },
}

const ableInstead: Readonly<Record<VlmFamily, string>> = {
  'mineru2.5': 'vllm',
  teleocr: "vllm with the makers' plugin",
  'unlimited-ocr': 'vllm, sglang or llama-server',
}

/** How a server of this kind is asked for this family. Throws `engine-refused` for a pair that cannot work. */
export function dialectFor(family: VlmFamily, kind: ServerKind, options: DialectOptions = { logitProcessor: '' }): Dialect {
  const reason = unableReasons[family]?.[kind]
  if (reason !== undefined) {
    throw new PagestreamError(
      'engine-refused',
      `choosing how to speak to the engine: ${family} does not run on ${kind}: ${reason}. Set vlm.engine.kind to ${ableInstead[family]}`,
    )
  }
  return dialects[kind](family, options)
}
