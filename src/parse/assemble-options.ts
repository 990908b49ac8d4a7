import type { Config } from '../config/config.ts'
import type { Documents } from '../runtime/document-reader.ts'
import type { DocumentSource } from '../schema/page.ts'
import type { AssembleOptions } from '../stages/assemble/assembler.ts'
import type { OutputSink } from '../store/output-sink.ts'

/** What assemble writes for a document of this run. */
export function assembleOptions(_source: DocumentSource, config: Config, _documents: Documents, _sink: OutputSink): AssembleOptions {
  return { formats: config.formats, chunks: config.chunks }
}
