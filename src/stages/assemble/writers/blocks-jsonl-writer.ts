import type { OutputSink, WritableTextFile } from '../../../store/output-sink.ts'
import type { AssembledBlock, OutputWriter } from './output-writer.ts'

/** blocks.jsonl: the blocks of document.json, one a line, for tools that read streams. */
export class BlocksJsonlWriter implements OutputWriter {
  readonly #file: WritableTextFile

  constructor(sink: OutputSink) {
    this.#file = sink.stream('blocks.jsonl')
  }

  async begin(): Promise<void> {}

  async block({ block }: AssembledBlock): Promise<void> {
    if (block) await this.#file.write(`${JSON.stringify(block)}\n`)
  }

  async end(): Promise<readonly string[]> {
    await this.#file.close()
    return ['blocks.jsonl']
  }

  abandon(): Promise<void> {
    return this.#file.discard()
  }
}
