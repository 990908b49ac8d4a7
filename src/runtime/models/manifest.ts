import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { packageRoot } from '../../config/package-root.ts'
import { engineKinds, vlmFamilyNames } from '../../config/vlm-config.ts'

/**
 * What a model takes and gives; the code behind a contract is written once, models slot in. `llama-cpp-library` is no model but what runs some: a
 * folder of shared libraries.
 */
export const modelContracts = ['pp-ocr-det', 'pp-ocr-rec', 'picodet-layout', 'pp-doclayout-layout', 'doclayout-yolo-layout', 'llama-cpp-library'] as const
export type ModelContract = (typeof modelContracts)[number]

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** Where a file comes from: a package that is installed with us, an address to fetch, or a page for people. */
const sourceSchema = z.union([
  z.strictObject({ package: z.string(), path: z.string() }),
  z.strictObject({ url: z.url({ protocol: /^https$/ }) }),
  z.strictObject({ page: z.url(), note: z.string() }),
])

const fileFields = {
  file: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
  bytes: z.number().int().positive().optional(),
  sha256: sha256.optional(),
  sha256Prefix: z
    .string()
    .regex(/^[0-9a-f]{8,63}$/)
    .optional(),
  source: sourceSchema,
}
const fileSchema = z.strictObject(fileFields)
/** One file of a model. Without a checksum or with a prefix of one it can be verified only so far. */
export type ModelFile = z.infer<typeof fileSchema>

const modelSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/),
  contract: z.enum(modelContracts),
  title: z.string(),
  licence: z.string(),
  ...fileFields,
  dictionary: z
    .union([z.strictObject({ metadata: z.string() }), fileSchema])
    .optional()
    .describe('Characters of a line reader: inside the model file, or a file beside it'),
  unpack: z
    .array(z.string().regex(/^(?:[A-Za-z0-9][A-Za-z0-9._-]*\/)*[A-Za-z0-9][A-Za-z0-9._-]*$/))
    .min(1)
    .max(100)
    .optional()
    .describe('The file is a ZIP archive: what of it is put, without its folders, into a folder that is named after the id'),
})
export type ModelEntry = z.infer<typeof modelSchema>

/**
 * A vision-language model. Its weights are the engine's own business: no files, no checksums. Without `repository` or `revision` the manifest does not
 * know them; none of these models was run with its weights.
 */
const servedModelSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/),
  family: z.enum(vlmFamilyNames).exclude(['none']),
  title: z.string(),
  maker: z.string(),
  licence: z.string(),
  repository: z
    .string()
    .regex(/^[\w.-]+\/[\w.-]+$/)
    .optional()
    .describe('Owner and name at the usual hubs, as engines take it for their model'),
  revision: z.string().optional().describe('The revision that prompts, grammar and decoding were checked against'),
  experimental: z.string().optional().describe('Why it is no more than an experiment'),
  engines: z.array(z.enum(engineKinds)).min(1).describe('Kinds of vlm.engine that can run it'),
})
export type ServedModel = z.infer<typeof servedModelSchema>

const manifestSchema = z.strictObject({
  models: z.array(modelSchema).refine((models) => new Set(models.map((m) => m.id)).size === models.length, 'model ids must be unique'),
  served: z.array(servedModelSchema).default([]),
})
export type ModelManifest = z.infer<typeof manifestSchema>

export const parseManifest = (text: string): ModelManifest => manifestSchema.parse(JSON.parse(text))

let shipped: ModelManifest | undefined

/** The manifest that is shipped beside the code, read once. */
export function shippedManifest(): ModelManifest {
  shipped ??= parseManifest(readFileSync(join(packageRoot(), 'models', 'manifest.json'), 'utf8'))
  return shipped
}
