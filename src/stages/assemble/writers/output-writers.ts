import type { OutputSink } from '../../../store/output-sink.ts'
import type { AssembleOptions, AssemblyInput, AssemblyListeners } from '../assembler.ts'
import { BlocksJsonlWriter } from './blocks-jsonl-writer.ts'
import { DocumentJsonWriter } from './document-json-writer.ts'
import { MarkdownWriter } from './markdown-writer.ts'
import type { OutputWriter } from './output-writer.ts'

/** The writers of the formats that were asked for. */
export function outputWriters(input: AssemblyInput, options: AssembleOptions, sink: OutputSink, on: AssemblyListeners): OutputWriter[] {
  const wants = new Set(options.formats)
  const writers: OutputWriter[] = []
  if (wants.has('json')) writers.push(new DocumentJsonWriter(sink))
  if (wants.has('md')) writers.push(new MarkdownWriter(sink))
  if (wants.has('blocks')) writers.push(new BlocksJsonlWriter(sink))
  void input
  void on
  return writers
}
