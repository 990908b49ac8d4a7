import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Chunk, chunkSchema } from '../schema/chunk.ts'
import { type Document, documentSchema } from '../schema/document.ts'

/** Reads back what assemble wrote into the folder of a document. */
export function outputReader(folder: string): { document(): Promise<Document>; markdown(): Promise<string>; chunks(): Promise<Chunk[]> } {
  const text = (file: string) => readFile(join(folder, file), 'utf8')
  return {
    document: async () => documentSchema.parse(JSON.parse(await text('document.json'))),
    markdown: () => text('document.md'),
    chunks: async () =>
      (await text('chunks.jsonl'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => chunkSchema.parse(JSON.parse(line))),
  }
}
