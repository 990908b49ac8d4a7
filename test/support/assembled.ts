import type { Chunk } from '../../src/schema/chunk.ts'
import { type Document, documentSchema } from '../../src/schema/document.ts'
import type { PageResult } from '../../src/schema/page.ts'
import { type AssembleOptions, type AssemblyInput, type AssemblySummary, assemble } from '../../src/stages/assemble/assembler.ts'
import { MemorySink } from './memory-sink.ts'
import { source } from './page-results.ts'

export interface Assembled {
  readonly document: Document
  readonly markdown: string
  readonly chunks: readonly Chunk[]
  readonly summary: AssemblySummary
  readonly sink: MemorySink
}

/** Assembles pages in memory into every text format; document.json is checked against its schema. */
export async function assembled(pages: readonly PageResult[], input: Partial<AssemblyInput> = {}, options: Partial<AssembleOptions> = {}): Promise<Assembled> {
  const sink = new MemorySink()
  const chunks: Chunk[] = []
  const byIndex = new Map(pages.map((p) => [p.index, p]))
  const whole: AssemblyInput = {
    documentId: 'doc',
    revision: 'r1',
    source,
    pageIndices: pages.map((p) => p.index),
    page: async (index) => byIndex.get(index) ?? Promise.reject(new Error(`no page ${index}`)),
    ...input,
  }
  const formats = options.formats ?? ['json', 'md', 'blocks', 'chunks', 'mineru']
  const summary = await assemble(whole, { chunks: { maxTokens: 512, minTokens: 64 }, ...options, formats }, sink, { chunk: (c) => void chunks.push(c) })
  const document = documentSchema.parse(JSON.parse(sink.text('document.json')))
  return { document, markdown: sink.files.get('document.md') ?? '', chunks, summary, sink }
}
