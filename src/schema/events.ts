import { z } from 'zod'
import { documentInfoSchema } from './document.ts'
import { failureSchema } from './failure-schema.ts'
import { modelUsageSchema } from './model-usage.ts'
import { ocrModes } from './ocr-mode.ts'
import { documentIdSchema, pageBlockSchema, pageFrameSchema, pageRefSchema, revisionSchema, sourceSchema, verdictKinds } from './page.ts'

/** A pointer to data in the store (claim check). */
export const artifactRefSchema = z.object({ key: z.string().max(2048) })
export type ArtifactRef = z.infer<typeof artifactRefSchema>

/** Pages that one message may ask for by number. */
const mostPagesAsked = 100_000

/** topic `documents`: a document to be read. */
export const documentSubmittedSchema = z.object({
  documentId: documentIdSchema,
  revision: revisionSchema,
  source: sourceSchema,
  ocr: z.enum(ocrModes),
  pages: z.array(z.number().int().nonnegative()).max(mostPagesAsked).optional().describe('0-based pages to read; all when absent'),
})
export type DocumentSubmitted = z.infer<typeof documentSubmittedSchema>

/** What the first stage learned when it opened the document; `opened` of every page event refers to it. */
export const documentOpenedSchema = z.object({
  info: documentInfoSchema,
  pages: z.array(z.number().int().nonnegative()).describe('0-based pages to read, ascending'),
})
export type DocumentOpened = z.infer<typeof documentOpenedSchema>

/** topic `pages.rendered`: a page with its text layer. */
export const pageRenderedSchema = z.object({ page: pageRefSchema, frame: pageFrameSchema, textLayer: artifactRefSchema, opened: artifactRefSchema })
export type PageRendered = z.infer<typeof pageRenderedSchema>

/** topic `pages.gated`: whether and where the page holds writing; `frame` and `textLayer` are upright from here on. */
export const pageGatedSchema = pageRenderedSchema.extend({ gate: z.enum(verdictKinds), modelUsed: z.boolean(), verdict: artifactRefSchema })
export type PageGated = z.infer<typeof pageGatedSchema>

/** topic `pages.layout`: the blocks of a page, not yet read. */
export const pageLayoutSchema = pageGatedSchema.extend({ blocks: artifactRefSchema })
export type PageLayout = z.infer<typeof pageLayoutSchema>

/** topic `pages.recognized`: the terminal event of a page, or of a document that could not be opened. */
export const pageRecognizedSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('page'),
    page: pageRefSchema,
    status: z.enum(['ok', 'failed']),
    result: artifactRefSchema.describe('A page-result'),
    opened: artifactRefSchema,
  }),
  z.object({ kind: z.literal('document'), documentId: documentIdSchema, revision: revisionSchema, source: sourceSchema, failure: failureSchema }),
])
export type PageRecognized = z.infer<typeof pageRecognizedSchema>

/** topic `blocks`: one event a block, as it finishes. */
export const blockEventSchema = z.object({
  documentId: z.string(),
  revision: z.string(),
  block: pageBlockSchema,
  early: z
    .literal(true)
    .optional()
    .describe(
      'A first word, told while its page is still being read: the events of the finished page, without this mark, replace all early ones of the page, also those that come later, from a worker that had lost the page',
    ),
})
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
  usage: modelUsageSchema.optional().describe('What the answers about its pages took, where a model was asked'),
  failure: failureSchema.optional(),
})
export type DocumentAssembled = z.infer<typeof documentAssembledSchema>

/** A record as it came from the broker. Its bytes may be anything: key, value and header values are base64. */
export const originalRecordSchema = z.object({
  topic: z.string().describe('Name on the broker'),
  partition: z.number().int().nonnegative(),
  offset: z.string(),
  timestamp: z.string().describe('Milliseconds since 1970'),
  key: z.string().nullable(),
  value: z.string().nullable(),
  headers: z.array(z.tuple([z.string(), z.string().nullable()])),
  stored: artifactRefSchema.optional().describe('Where key, value and headers lie in the store, when they are too large for a letter'),
})
export type OriginalRecord = z.infer<typeof originalRecordSchema>

/** topic `dead-letter`. */
export const deadLetterSchema = z.object({
  stage: z.string(),
  topic: z.string(),
  documentId: z.string().describe('Empty when the record does not say'),
  revision: z.string(),
  pageIndex: z.number().int().nonnegative().optional(),
  failure: failureSchema,
  record: z.unknown().describe('The original payload'),
  original: originalRecordSchema.optional().describe('The record on the broker, where there is one'),
})
export type DeadLetter = z.infer<typeof deadLetterSchema>
