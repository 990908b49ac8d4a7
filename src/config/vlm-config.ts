import { z } from 'zod'

const positive = z.number().int().positive()
const fileName = z.string().default('')
const longestMs = 86_400_000

/** `none`: no vision-language model. */
export const vlmFamilyNames = ['none', 'mineru2.5', 'teleocr', 'unlimited-ocr'] as const
/** Servers that speak the OpenAI protocol, each in its own way, and llama.cpp as a library in a child process. */
export const engineKinds = ['openai', 'vllm', 'sglang', 'lmdeploy', 'llama-server', 'mlx', 'transformers', 'llama-cpp'] as const
export type EngineKind = (typeof engineKinds)[number]
export const efforts = ['low', 'auto', 'high'] as const
export type Effort = (typeof efforts)[number]

/** A vision-language model that reads pages, and the engine that it runs on. */
export const vlmConfigSchema = z.strictObject({
  family: z.enum(vlmFamilyNames).default('none').describe('Family of the model that reads pages; none = text layers and PP-OCR alone'),
  effort: z
    .enum(efforts)
    .default('auto')
    .describe(
      'What the model is asked: low = tables and formulas of pages that must be read, by families that read blocks; auto = pages that must be read, and formulas of others; high = every page',
    ),
  imageAnalysis: z.boolean().default(false).describe('Ask what pictures and charts show on pages that the model lays out, where the family can'),
  titleLevels: z
    .boolean()
    .default(false)
    .describe(
      'Ask the model for the levels of the headings of a document; of use with a model that answers more than how to read; textModel.file is asked in its place',
    ),
  engine: z
    .strictObject({
      kind: z.enum(engineKinds).default('openai').describe('What answers: a kind of server, or llama-cpp for the library in a child process'),
      urls: z
        .array(z.url({ protocol: /^https?$/, error: 'expected an address with http:// or https:// in front, like http://localhost:8000' }))
        .default([])
        .describe('Addresses of servers that have the same model; the least busy is asked'),
      model: z.string().default('').describe('Name of the model at the server; empty = the only one it has. For llama-cpp: the path of the GGUF file'),
      projector: fileName.describe('For llama-cpp and managed llama-server: the path of the projector (mmproj) GGUF file'),
      library: fileName.describe('For llama-cpp: the folder of the shared libraries of llama.cpp; `pagestream models fetch llama.cpp-10434` brings one'),
      logitProcessorFile: fileName.describe('For sglang and Unlimited-OCR: file of the serialised logit processor; empty = loops are ended by the worker'),
      apiKeyFile: fileName.describe('File that holds the key that the server asks for'),
      managed: z.boolean().default(false).describe('Start the server as a process of the worker, and mind it'),
      arguments: z.array(z.string()).default([]).describe('Further arguments of a managed server'),
      slots: z
        .number()
        .int()
        .min(0)
        .max(4096)
        .default(0)
        .describe('Questions that are asked at once, of each server; 0 = what the server says, else 16; 4 for llama-cpp'),
      timeoutMs: positive.max(longestMs).default(600_000).describe('Longest time for one answer'),
      silenceMs: positive.max(longestMs).default(120_000).describe('… and for the next piece of one that has begun'),
      startMs: positive.max(longestMs).default(900_000).describe('Longest time until a managed server is ready'),
    })
    .prefault({}),
})
export type VlmConfig = z.infer<typeof vlmConfigSchema>
export type EngineConfig = VlmConfig['engine']
