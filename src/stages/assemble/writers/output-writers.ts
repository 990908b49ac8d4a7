import type { OutputSink } from '../../../store/output-sink.ts'
import type { AssembleOptions, AssemblyListeners } from '../assembler.ts'
import { BlocksJsonlWriter } from './blocks-jsonl-writer.ts'
import { ChunksWriter } from './chunks-writer.ts'
import { DocumentJsonWriter } from './document-json-writer.ts'
import { MarkdownWriter } from './markdown-writer.ts'
import { MineruWriter } from './mineru/mineru-writer.ts'
import type { OutputWriter } from './output-writer.ts'

/** The writers of the formats that were asked for. */
export function outputWriters(options: AssembleOptions, sink: OutputSink, on: AssemblyListeners): OutputWriter[] {
  const wants = new Set(options.formats)
  const writers: OutputWriter[] = []
  if (wants.has('json')) writers.push(new DocumentJsonWriter(sink))
  if (wants.has('md')) writers.push(new MarkdownWriter(sink))
  if (wants.has('blocks')) writers.push(new BlocksJsonlWriter(sink))
  if (wants.has('chunks') || on.chunk) writers.push(new ChunksWriter(options.chunks, wants.has('chunks') ? sink : undefined, on.chunk))
  if (wants.has('mineru')) writers.push(new MineruWriter(sink))
  return writers
}
