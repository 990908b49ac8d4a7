import { z } from 'zod'
import { boxSchema } from './geometry.ts'

/** One line of chunks.jsonl: a retrieval unit that cites where it stands. */
export const chunkSchema = z.object({
  id: z.string().describe('Stable: hash of the document id and of what the chunk holds'),
  documentId: z.string(),
  revision: z.string(),
  index: z.number().int().nonnegative(),
  text: z.string().describe('Plain text to embed, headings left out'),
  markdown: z.string(),
  headings: z.array(z.string()).describe('Heading path, outermost first'),
  pages: z.array(z.number().int().nonnegative()).describe('0-based pages, ascending'),
  places: z.array(z.object({ page: z.number().int().nonnegative(), box: boxSchema })),
  blocks: z.array(z.string()).describe('Ids of the blocks it was made of'),
  kinds: z.array(z.string()),
  tokens: z.number().int().nonnegative().describe('Estimated tokens of `text`'),
})
export type Chunk = z.infer<typeof chunkSchema>
