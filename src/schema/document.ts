import { z } from 'zod'
import { blockKindSchema, blockSourceSchema, flagSchema, textSources } from './block-kind.ts'
import { documentSchemaName } from './document-schema-name.ts'
import { failureSchema } from './failure-schema.ts'
import { boxSchema, quarterTurnSchema } from './geometry.ts'
import { modelUsageSchema } from './model-usage.ts'
import { imageSchema, tableSchema } from './page.ts'

/** What a document says of itself when it is opened; written once beside its pages. */
export const documentInfoSchema = z.object({
  pageCount: z.number().int().positive(),
  mediaType: z.string(),
  metadata: z
    .record(z.string(), z.string())
    .describe('title, author, subject, keywords, creator, producer, created, modified, language, permissions … as found'),
  outline: z.array(z.object({ title: z.string(), level: z.number().int().min(1), page: z.number().int().nonnegative() })),
  tagged: z.boolean(),
  flags: z.array(flagSchema),
})
export type DocumentInfo = z.infer<typeof documentInfoSchema>

export const documentStatuses = ['complete', 'partial', 'failed'] as const

export const documentPageSchema = z.object({
  index: z.number().int().nonnegative(),
  label: z.string().optional().describe('Printed page number where the document names one'),
  width: z.number().describe('Points, upright'),
  height: z.number(),
  angle: quarterTurnSchema.describe('Degrees clockwise by which the displayed page was turned upright'),
  textSource: z.enum(textSources),
  status: z.enum(['ok', 'failed']),
  failure: failureSchema.optional(),
  flags: z.array(flagSchema),
  lostWords: z.number().int().nonnegative(),
  usage: modelUsageSchema.optional().describe('What the answers about the page took, where a model was asked'),
})
export type DocumentPage = z.infer<typeof documentPageSchema>

export const documentBlockSchema = z.object({
  id: z.string(),
  kind: blockKindSchema,
  page: z.number().int().nonnegative().describe('0-based page on which the block begins'),
  box: boxSchema,
  angle: z.number(),
  order: z.number().int().nonnegative().describe('Reading order within the document'),
  text: z.string(),
  markdown: z.string(),
  level: z.number().int().min(1).max(6).optional(),
  marker: z.string().optional(),
  depth: z.number().int().nonnegative().optional(),
  writingMode: z.enum(['horizontal', 'vertical']).optional(),
  direction: z.enum(['ltr', 'rtl']).optional(),
  source: blockSourceSchema,
  confidence: z.number().min(0).max(1).optional(),
  flags: z.array(flagSchema),
  parent: z.string().optional().describe('Id of the block that this one captions, annotates or continues'),
  parts: z
    .array(z.object({ page: z.number().int().nonnegative(), box: boxSchema }))
    .optional()
    .describe('All places of a block that was joined over columns or pages'),
  table: tableSchema.optional(),
  image: imageSchema.optional(),
  latex: z.string().optional(),
  language: z.string().optional().describe('Of code'),
  subKind: z.string().optional().describe('What a picture shows, by the word of the model that read it'),
  continues: z.boolean().optional().describe('The model that read it says that its text goes on from the text before it, and nothing else bears that out'),
})
export type DocumentBlock = z.infer<typeof documentBlockSchema>

/** document.json: the one output from which all others derive. Names are fixed within a version: add, never rename. */
export const documentSchema = z.object({
  schema: z.literal(documentSchemaName),
  id: z.string(),
  revision: z.string(),
  title: z.string().optional(),
  status: z.enum(documentStatuses),
  source: z.object({ name: z.string(), mediaType: z.string(), bytes: z.number().int().nonnegative(), sha256: z.string() }),
  metadata: z.record(z.string(), z.string()),
  outline: z.array(z.object({ title: z.string(), level: z.number().int(), page: z.number().int() })),
  flags: z.array(flagSchema),
  usage: modelUsageSchema.optional().describe('The sum of that of its pages'),
  pages: z.array(documentPageSchema),
  blocks: z.array(documentBlockSchema),
  failure: failureSchema.optional(),
})
export type Document = z.infer<typeof documentSchema>
