import { z } from 'zod'
import { documentInfoSchema } from './document.ts'
import { failureSchema } from './failure.ts'
import { layoutBlockSchema, ocrModes, pageBlockSchema, pageFrameSchema, pageRefSchema, sourceSchema, verdictSchema } from './page.ts'

/** A pointer to data in the store (claim check). */
export const artifactRefSchema = z.object({ key: z.string() })
export type ArtifactRef = z.infer<typeof artifactRefSchema>

/** topic `documents`: a document to be read. */
export const documentSubmittedSchema = z.object({
  documentId: z.string(),
  revision: z.string(),
  source: sourceSchema,
  ocr: z.enum(ocrModes),
  pages: z.array(z.number().int().nonnegative()).optional().describe('0-based pages to read; all when absent'),
  password: z.string().optional(),
})
export type DocumentSubmitted = z.infer<typeof documentSubmittedSchema>

/** topic `pages.rendered`: a page with its text layer. */
export const pageRenderedSchema = z.object({ page: pageRefSchema, frame: pageFrameSchema, textLayer: artifactRefSchema, info: artifactRefSchema })
export type PageRendered = z.infer<typeof pageRenderedSchema>

/** topic `pages.gated`: whether and where the page holds writing; `frame` is upright from here on. */
export const pageGatedSchema = pageRenderedSchema.extend({ verdict: verdictSchema })
export type PageGated = z.infer<typeof pageGatedSchema>

/** topic `pages.layout`. */
export const pageLayoutSchema = pageGatedSchema.extend({ blocks: z.array(layoutBlockSchema) })
export type PageLayout = z.infer<typeof pageLayoutSchema>

/** topic `pages.recognized`: the terminal event of a page. `result` refers to a `PageResult`. */
export const pageRecognizedSchema = z.object({ page: pageRefSchema, status: z.enum(['ok', 'failed']), result: artifactRefSchema, info: artifactRefSchema.optional() })
export type PageRecognized = z.infer<typeof pageRecognizedSchema>

/** topic `blocks`: one event a block, as it finishes. */
export const blockEventSchema = z.object({ documentId: z.string(), revision: z.string(), block: pageBlockSchema })
export type BlockEvent = z.infer<typeof blockEventSchema>

/** topic `documents.assembled`. */
export const documentAssembledSchema = z.object({
  documentId: z.string(),
  revision: z.string(),
  status: z.enum(['complete', 'partial', 'failed']),
  pages: z.number().int().nonnegative(),
  failedPages: z.number().int().nonnegative(),
  source: sourceSchema,
  outputs: z.array(z.string()).describe('Files, relative to the folder of the document'),
  failure: failureSchema.optional(),
})
export type DocumentAssembled = z.infer<typeof documentAssembledSchema>

/** topic `dead-letter`. */
export const deadLetterSchema = z.object({
  stage: z.string(),
  topic: z.string(),
  documentId: z.string(),
  revision: z.string(),
  pageIndex: z.number().int().nonnegative().optional(),
  failure: failureSchema,
  record: z.unknown().describe('The original payload'),
})
export type DeadLetter = z.infer<typeof deadLetterSchema>

export { documentInfoSchema }
