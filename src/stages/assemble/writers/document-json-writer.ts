import { documentSchemaName } from '../../../schema/document-schema-name.ts'
import type { OutputSink, WritableTextFile } from '../../../store/output-sink.ts'
import { JsonList } from './json-list.ts'
import type { AssembledBlock, DocumentHead, OutputWriter } from './output-writer.ts'

/** document.json: the one output that all others could be made from. One page and one block a line. */
export class DocumentJsonWriter implements OutputWriter {
  readonly #file: WritableTextFile
  readonly #blocks: JsonList

  constructor(sink: OutputSink) {
    this.#file = sink.stream('document.json')
    this.#blocks = new JsonList(this.#file)
  }

  async begin({ pages, ...head }: DocumentHead): Promise<void> {
    const top = JSON.stringify({ schema: documentSchemaName, ...head })
    await this.#file.write(`${top.slice(0, -1)},\n"pages":[`)
    const list = new JsonList(this.#file)
    for (const page of pages) await list.add(JSON.stringify(page))
    await this.#file.write('],\n"blocks":[')
  }

  async block({ block }: AssembledBlock): Promise<void> {
    if (block) await this.#blocks.add(JSON.stringify(block))
  }

  async end(): Promise<readonly string[]> {
    await this.#file.write(']}\n')
    await this.#file.close()
    return ['document.json']
  }

  abandon(): Promise<void> {
    return this.#file.discard()
  }
}
