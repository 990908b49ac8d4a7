import { z } from 'zod'
import { blockKindSchema, flagSchema } from './block-kind.ts'

/** A cell of a table as a model wrote it. */
export const modelCellSchema = z.object({
  row: z.number().int().nonnegative(),
  column: z.number().int().nonnegative(),
  rowSpan: z.number().int().positive(),
  columnSpan: z.number().int().positive(),
  header: z.boolean(),
  text: z.string().describe('Plain text; inline formulas as \\( … \\)'),
})
/** A table as a model wrote it: cells tile the grid, each place is covered once. */
export const modelTableSchema = z.object({
  rows: z.number().int().positive(),
  columns: z.number().int().positive(),
  cells: z.array(modelCellSchema).readonly(),
})

export type ModelCell = z.infer<typeof modelCellSchema>
export type ModelTable = z.infer<typeof modelTableSchema>

/** What a model says of a block, cleaned: one shape for all families. */
export const modelContentSchema = z.object({
  kind: blockKindSchema.describe('May differ from that of the layout: a picture that is a table'),
  text: z.string().describe('Plain text; inline formulas as \\( … \\), LaTeX for a formula, code without its fence'),
  table: modelTableSchema.optional(),
  latex: z.string().optional().describe('Without delimiters'),
  language: z.string().optional().describe('Of code, in lower case'),
  subKind: z.string().optional().describe("What a picture is, by the model's word"),
  raw: z.string().describe('What the model wrote, control characters apart'),
  flags: z.array(flagSchema).readonly(),
})
export type BlockContent = z.infer<typeof modelContentSchema>

/** What the model that found a block told of it beside its place and kind. */
export const modelBlockSchema = z.object({
  type: z.string().describe("The family's own name of its kind"),
  polygon: z.array(z.number()).readonly().optional().describe('x0 y0 x1 y1 …, fractions of the upright page'),
  byLayer: z.literal(true).optional().describe('Its words are those of the text layer, which agrees with the model on where they stand'),
  continues: z.boolean().optional().describe('The text goes on from the block before it'),
  content: modelContentSchema.optional().describe('Where the model read while it looked'),
})
export type ModelBlock = z.infer<typeof modelBlockSchema>
