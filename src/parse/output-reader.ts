import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Chunk } from '../schema/chunk.ts'
import type { Document } from '../schema/document.ts'

/** Reads back what assemble wrote into the folder of a document. */
export function outputReader(folder: string): { document(): Promise<Document>; markdown(): Promise<string>; chunks(): Promise<Chunk[]> } {
  const text = (file: string) => readFile(join(folder, file), 'utf8')
  return {
    async document() {
      const { documentSchema } = await import('../schema/document.ts')
      return documentSchema.parse(JSON.parse(await text('document.json')))
    },
    markdown: () => text('document.md'),
    async chunks() {
      const { chunkSchema } = await import('../schema/chunk.ts')
      const lines = (await text('chunks.jsonl')).split('\n').filter((line) => line !== '')
      return lines.map((line) => chunkSchema.parse(JSON.parse(line)))
    },
  }
}
