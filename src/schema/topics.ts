import type { z } from 'zod'
import { chunkSchema } from './chunk.ts'
import {
  blockEventSchema,
  deadLetterSchema,
  documentAssembledSchema,
  documentSubmittedSchema,
  pageGatedSchema,
  pageLayoutSchema,
  pageRecognizedSchema,
  pageRenderedSchema,
} from './events.ts'

/** Every topic and the schema of what it carries. */
export const topicSchemas = {
  documents: documentSubmittedSchema,
  'pages.rendered': pageRenderedSchema,
  'pages.gated': pageGatedSchema,
  'pages.layout': pageLayoutSchema,
  'pages.recognized': pageRecognizedSchema,
  blocks: blockEventSchema,
  'documents.assembled': documentAssembledSchema,
  chunks: chunkSchema,
  'dead-letter': deadLetterSchema,
} as const

export type TopicName = keyof typeof topicSchemas
export type TopicPayload<T extends TopicName> = z.infer<(typeof topicSchemas)[T]>

/** Pages of a document that share a partition: enough to batch, few enough to spread. */
export const pagesPerKey = 16
