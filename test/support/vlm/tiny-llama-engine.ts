import sharp from 'sharp'
import { type EngineConfig, vlmConfigSchema } from '../../../src/config/vlm-config.ts'
import type { Ask, Decoding, SentPicture } from '../../../src/runtime/vlm/engine.ts'
import { LlamaEngine, type LlamaOptions } from '../../../src/runtime/vlm/engines/llama/llama-engine.ts'
import { llamaBuild } from './llama-build.ts'
import { type TinyScript, tinyModel } from './tiny-model.ts'

export const greedy: Decoding = { temperature: 0, topP: 1, topK: 0, repetitionPenalty: 1, presencePenalty: 0, frequencyPenalty: 0 }

const restarts = { most: 3, withinMs: 60_000, firstMs: 10, longestMs: 10 }

/** What tests of the library in process run on. */
export interface TinyLlama {
  /** `vlm.engine` for the tiny model on the CPU. */
  config(changes?: Partial<EngineConfig>): EngineConfig
  /** Not started. */
  engine(options?: LlamaOptions, changes?: Partial<EngineConfig>): LlamaEngine
  readonly scripts: readonly TinyScript[]
  readonly words: Readonly<Record<string, readonly string[]>>
  /** The folder of the shared libraries. */
  readonly library: string
}

/** The library and the tiny model; answers with what is missing where one is not there: skip by that name. */
export async function tinyLlama(): Promise<TinyLlama | { readonly missing: string }> {
  const model = tinyModel()
  if ('missing' in model) return model
  const build = await llamaBuild()
  if ('missing' in build) return build
  const given = { kind: 'llama-cpp', library: build.folder, model: model.model, projector: model.projector, slots: 1 } as const
  const config = (changes: Partial<EngineConfig> = {}): EngineConfig => ({ ...vlmConfigSchema.parse({ engine: given }).engine, ...changes })
  return {
    config,
    engine: (options = {}, changes = {}) => new LlamaEngine(config(changes), { cells: 1024, imageTokens: 256, gpu: false, restarts, ...options }),
    scripts: model.scripts,
    words: model.words,
    library: build.folder,
  }
}

/** A picture of one colour: red, green and blue, each 0 or 1. */
export async function solidPicture(colour: string, width = 280, height = width): Promise<SentPicture> {
  const [r, g, b] = [...colour].map((on) => (on === '1' ? 255 : 0))
  const bytes = await sharp({ create: { width, height, channels: 3, background: { r: r ?? 0, g: g ?? 0, b: b ?? 0 } } })
    .png()
    .toBuffer()
  return { bytes, mediaType: 'image/png', width, height }
}

/** A colour that no script asks for. */
export const anyColour = '101'

/** A question that brings the script's answer. */
export async function scriptAsk(tiny: TinyLlama, script: Pick<TinyScript, 'mode' | 'colour'>, changes: Partial<Ask> = {}): Promise<Ask> {
  const prompt = tiny.words[script.mode]?.[0] ?? 'Hello'
  const picture = script.colour === 'none' ? undefined : await solidPicture(script.colour ?? anyColour)
  return { task: 'test', prompt, decoding: greedy, maxTokens: 512, ...(picture && { picture }), ...changes }
}
