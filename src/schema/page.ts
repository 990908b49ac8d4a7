import { z } from 'zod'
import { blockKindSchema, blockSourceSchema, flagSchema, textSources } from './block-kind.ts'
import { failureSchema } from './failure-schema.ts'
import { boxSchema, quarterTurnSchema } from './geometry.ts'
import { modelUsageSchema } from './model-usage.ts'
import { ocrModes } from './ocr-mode.ts'
import { modelBlockSchema } from './vlm-block.ts'

/** Where a document's bytes are: a path in one process, a key of the store on a cluster. */
export const sourceSchema = z.object({
  name: z.string().max(4096).describe('File name, for people'),
  path: z.string().max(8192).describe('Where the bytes lie'),
  mediaType: z.string().max(255),
  bytes: z.number().int().nonnegative(),
  sha256: z.string().max(64),
})
export type DocumentSource = z.infer<typeof sourceSchema>

/** Names of files and folders have at most 255 bytes, keys of buckets 1024: room is left for what is put around an id. */
const [longestIdBytes, longestPartBytes] = [512, 200]

const utf8 = new TextEncoder()
/** Counts only what may be too long: a character has at most three bytes for each of its units. */
const fits = (text: string, bytes: number): boolean => text.length * 3 <= bytes || utf8.encode(text).length <= bytes
const isPart = (part: string): boolean => part !== '' && part !== '.' && part !== '..' && fits(part, longestPartBytes)

/** The sender's name of a document. It becomes a place in the store, so not everything can be one. */
export const documentIdSchema = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}\\]+$/u, 'holds a control character or a backslash')
  .refine((id) => fits(id, longestIdBytes) && id.split('/').every(isPart), `is no place of at most ${longestIdBytes} bytes, 200 between slashes`)

/** 1 to 64 letters, digits or underscores. */
export const revisionSchema = z.string().regex(/^\w{1,64}$/, 'is not 1 to 64 letters, digits or underscores')

/** Which page of which document; the identity that every stage keeps. */
export const pageRefSchema = z.object({
  documentId: documentIdSchema,
  revision: revisionSchema,
  pageIndex: z.number().int().nonnegative().describe('0-based'),
  pageCount: z.number().int().positive().describe('Pages of the document'),
  ocr: z.enum(ocrModes),
  source: sourceSchema,
})
export type PageRef = z.infer<typeof pageRefSchema>

/** Size of the upright page in points and the quarter turn (clockwise) that brought the displayed page upright. */
export const pageFrameSchema = z.object({
  width: z.number().positive(),
  height: z.number().positive(),
  angle: quarterTurnSchema,
})
export type PageFrame = z.infer<typeof pageFrameSchema>

/** A piece of writing that the text finder saw: four corners, clockwise from the top-left of the text, and a score 0..1. */
export const textRegionSchema = z.object({
  corners: z
    .tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number(), z.number(), z.number()])
    .describe('x0 y0 … x3 y3, fractions of the upright page'),
  score: z.number(),
})
export type TextRegion = z.infer<typeof textRegionSchema>

/**
 * The gate's answer for a page.
 * `blank`: nothing to read. `text-layer`: the words of the PDF are right and complete.
 * `needs-reading`: the words are absent or wrong, the picture decides. `mixed`: good words here, writing in a picture there.
 */
export const verdictKinds = ['blank', 'text-layer', 'needs-reading', 'mixed'] as const
export type VerdictKind = (typeof verdictKinds)[number]

export const verdictSchema = z.object({
  kind: z.enum(verdictKinds),
  reasons: z.array(z.string()).describe('From a closed list in the text-finder stage; `model-failed` where a vision-language model made no sense of the page'),
  regions: z.array(textRegionSchema).describe('What must be read from the picture'),
  modelUsed: z.boolean().describe('Whether a model had to look at the page'),
  badStyles: z.array(z.number().int()).describe('Styles of the text layer that are not trusted'),
})
export type Verdict = z.infer<typeof verdictSchema>

/** One line to be read or taken over. Exactly one of `words` and `region` is set. */
export const layoutLineSchema = z.object({
  box: boxSchema,
  words: z.array(z.number().int()).optional().describe('Indices of words of the text layer, in reading order'),
  region: z.number().int().optional().describe('Index of a text region of the verdict'),
})
export type LayoutLine = z.infer<typeof layoutLineSchema>

/** The grid of a table before its cells are read. Cells tile the grid without overlap. */
export const layoutCellSchema = z.object({
  row: z.number().int().nonnegative(),
  column: z.number().int().nonnegative(),
  rowSpan: z.number().int().positive(),
  columnSpan: z.number().int().positive(),
  box: boxSchema,
  header: z.boolean(),
  lines: z.array(layoutLineSchema),
})
export type LayoutCell = z.infer<typeof layoutCellSchema>
export const layoutTableSchema = z.object({
  rows: z.number().int().positive(),
  columns: z.number().int().positive(),
  headerRows: z.number().int().nonnegative(),
  ruled: z.boolean().describe('Whether ruling lines decided the grid'),
  cells: z.array(layoutCellSchema),
})
export type LayoutTable = z.infer<typeof layoutTableSchema>

/** A block as the layout stage sees it: what and where, not yet what it says. Blocks come in reading order. */
export const layoutBlockSchema = z.object({
  kind: blockKindSchema,
  box: boxSchema,
  angle: z.number().describe('Degrees clockwise of the reading direction against the upright page'),
  vertical: z.boolean().optional().describe('Vertical CJK writing'),
  rightToLeft: z.boolean().optional(),
  lines: z.array(layoutLineSchema),
  brokenByHand: z.boolean().optional().describe('Its line breaks are meant: verse, an address'),
  table: layoutTableSchema.optional(),
  level: z.number().int().min(1).max(6).optional().describe('Heading level where the page itself tells it (tags)'),
  marker: z.string().optional().describe('List marker as printed'),
  depth: z.number().int().nonnegative().optional().describe('List depth, 0 = outermost'),
  parent: z.number().int().optional().describe('Index of the block that a caption or note belongs to'),
  alt: z.string().optional().describe('Alternative text of a tagged figure'),
  content: z.string().optional().describe('What the block says, where it is known without reading its lines: from a one-pass reader or a form field'),
  source: blockSourceSchema.optional(),
  confidence: z.number().optional(),
  model: modelBlockSchema.optional().describe('Of a block that a vision-language model found'),
  flags: z.array(flagSchema),
})
export type LayoutBlock = z.infer<typeof layoutBlockSchema>

export const tableCellSchema = z.object({
  row: z.number().int().nonnegative(),
  column: z.number().int().nonnegative(),
  rowSpan: z.number().int().positive(),
  columnSpan: z.number().int().positive(),
  header: z.boolean(),
  text: z.string(),
})
export type TableCell = z.infer<typeof tableCellSchema>
export const tableSchema = z.object({
  rows: z.number().int().positive(),
  columns: z.number().int().positive(),
  headerRows: z.number().int().nonnegative(),
  html: z.string(),
  cells: z.array(tableCellSchema),
})
export type Table = z.infer<typeof tableSchema>

export const imageSchema = z.object({
  path: z.string().describe('Relative to the folder of document.json'),
  widthPx: z.number().int().positive(),
  heightPx: z.number().int().positive(),
  alt: z.string(),
})
export type Image = z.infer<typeof imageSchema>

/** One printed line of a block. */
export const blockLineSchema = z.object({ box: boxSchema, text: z.string(), confidence: z.number().optional() })
export type BlockLine = z.infer<typeof blockLineSchema>

/** How a block looks: what heading levels and joins over pages are decided by. */
export const lookSchema = z.object({
  sizePt: z.number(),
  bold: z.boolean(),
  italic: z.boolean(),
  font: z.string(),
  color: z.string(),
  centered: z.boolean().optional(),
  capitals: z.boolean().optional(),
})
export type Look = z.infer<typeof lookSchema>

/** Where a hyphen at a line end was taken out of a block: the places in its text and in its Markdown, counted without it. */
export const takenHyphenSchema = z.object({ text: z.number().int().nonnegative(), markdown: z.number().int().nonnegative() })
export type TakenHyphen = z.infer<typeof takenHyphenSchema>

/** A block of one page, read. */
export const pageBlockSchema = z.object({
  id: z.string(),
  kind: blockKindSchema,
  page: z.number().int().nonnegative(),
  box: boxSchema,
  angle: z.number(),
  order: z.number().int().nonnegative(),
  text: z.string(),
  markdown: z.string(),
  lines: z.array(blockLineSchema),
  look: lookSchema.optional(),
  level: z.number().int().min(1).max(6).optional(),
  marker: z.string().optional(),
  depth: z.number().int().nonnegative().optional(),
  writingMode: z.enum(['horizontal', 'vertical']).optional(),
  direction: z.enum(['ltr', 'rtl']).optional(),
  source: blockSourceSchema,
  confidence: z.number().min(0).max(1).optional(),
  flags: z.array(flagSchema),
  parent: z.string().optional(),
  table: tableSchema.optional(),
  image: imageSchema.optional(),
  latex: z.string().optional(),
  language: z.string().optional().describe('Of code'),
  subKind: z.string().optional().describe('What a picture shows, by the word of the model that read it'),
  continues: z.boolean().optional().describe('By the model that read it, its text goes on from the text before it'),
  noteOf: z.enum(['page', 'body']).optional().describe('Of a note, by the model that read it: of the page, or of a picture, table or code'),
  hyphens: z.array(takenHyphenSchema).optional(),
  usage: modelUsageSchema.optional().describe('What the answers about it took, where a model was asked about this block alone'),
})
export type PageBlock = z.infer<typeof pageBlockSchema>

/** Everything that is known of a page at the end of its way: the terminal result, good or failed. */
export const pageResultSchema = z.object({
  index: z.number().int().nonnegative(),
  label: z.string().optional(),
  width: z.number(),
  height: z.number(),
  angle: quarterTurnSchema,
  textSource: z.enum(textSources),
  verdict: z.enum(verdictKinds).optional(),
  reasons: z.array(z.string()),
  status: z.enum(['ok', 'failed']),
  failure: failureSchema.optional(),
  flags: z.array(flagSchema),
  lostWords: z.number().int().nonnegative().describe('Trusted words of the text layer that are in no block'),
  usage: modelUsageSchema.optional().describe('What all answers about the page took, where a model was asked'),
  blocks: z.array(pageBlockSchema),
})
export type PageResult = z.infer<typeof pageResultSchema>
