import type { Chunk } from '../../../schema/chunk.ts'
import type { OutputSink, WritableTextFile } from '../../../store/output-sink.ts'
import type { ChunkBudget } from '../chunks/chunk-packer.ts'
import { Chunker } from '../chunks/chunker.ts'
import type { AssembledBlock, DocumentHead, OutputWriter } from './output-writer.ts'

/** chunks.jsonl, a chunk a line, and whoever else wants the chunks. Either may be absent. */
export class ChunksWriter implements OutputWriter {
  readonly #budget: ChunkBudget
  readonly #file: WritableTextFile | undefined
  readonly #listener: ((chunk: Chunk) => void | Promise<void>) | undefined
  #chunker: Chunker | undefined

  constructor(budget: ChunkBudget, sink: OutputSink | undefined, listener: ((chunk: Chunk) => void | Promise<void>) | undefined) {
    this.#budget = budget
    this.#file = sink?.stream('chunks.jsonl')
    this.#listener = listener
  }

  async begin({ id, revision }: DocumentHead): Promise<void> {
    this.#chunker = new Chunker({ id, revision }, this.#budget, async (chunk) => {
      await this.#file?.write(`${JSON.stringify(chunk)}\n`)
      await this.#listener?.(chunk)
    })
  }

  async block(assembled: AssembledBlock): Promise<void> {
    await this.#chunker?.block(assembled)
  }

  async end(): Promise<readonly string[]> {
    await this.#chunker?.end()
    await this.#file?.close()
    return this.#file ? ['chunks.jsonl'] : []
  }

  async abandon(): Promise<void> {
    await this.#file?.discard()
  }
}
