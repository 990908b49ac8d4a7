import type { DocumentPage } from '../../../../schema/document.ts'
import type { OutputSink, WritableTextFile } from '../../../../store/output-sink.ts'
import { JsonList } from '../json-list.ts'
import type { AssembledBlock, DocumentHead, OutputWriter } from '../output-writer.ts'
import { contentList } from './mineru-content-list.ts'
import { contentListV2 } from './mineru-content-list-v2.ts'
import { middlePage } from './mineru-middle.ts'
import { modelPage } from './mineru-model.ts'
import { mineruPage } from './mineru-page.ts'

const files = ['middle.json', 'content_list.json', 'content_list_v2.json', 'model.json'] as const

/** The files that tools around MinerU read, with its names and shapes, written a page at a time. */
export class MineruWriter implements OutputWriter {
  readonly #files: readonly WritableTextFile[]
  readonly #lists: readonly [JsonList, JsonList, JsonList, JsonList]
  #pages: readonly DocumentPage[] = []
  #next = 0
  #blocks: AssembledBlock[] = []

  constructor(sink: OutputSink) {
    const [middle, content, contentV2, model] = [sink.stream(files[0]), sink.stream(files[1]), sink.stream(files[2]), sink.stream(files[3])] as const
    this.#files = [middle, content, contentV2, model]
    this.#lists = [new JsonList(middle), new JsonList(content), new JsonList(contentV2), new JsonList(model)]
  }

  async begin({ pages }: DocumentHead): Promise<void> {
    this.#pages = pages
    const starts = ['{"pdf_info":[', '[', '[', '[']
    for (const [i, file] of this.#files.entries()) await file.write(starts[i] ?? '')
  }

  async block(assembled: AssembledBlock): Promise<void> {
    const { index } = assembled.draft.page
    while ((this.#pages[this.#next]?.index ?? index) < index) await this.#writePage()
    this.#blocks.push(assembled)
  }

  async end(): Promise<readonly string[]> {
    while (this.#next < this.#pages.length) await this.#writePage()
    // The shape is that of the VLM backend; the version names who wrote it.
    const ends = ['],\n"_backend":"vlm","_version_name":"pagestream"}\n', ']\n', ']\n', ']\n']
    for (const [i, file] of this.#files.entries()) {
      await file.write(ends[i] ?? '')
      await file.close()
    }
    return files
  }

  async abandon(): Promise<void> {
    for (const file of this.#files) await file.discard()
  }

  async #writePage(): Promise<void> {
    const page = this.#pages[this.#next++]
    const blocks = this.#blocks
    this.#blocks = []
    if (!page) return
    const whole = mineruPage(page, blocks)
    const [middle, content, contentV2, model] = this.#lists
    await middle.add(JSON.stringify(middlePage(whole)))
    for (const entry of contentList(whole)) await content.add(JSON.stringify(entry))
    await contentV2.add(JSON.stringify(contentListV2(whole)))
    await model.add(JSON.stringify(modelPage(whole)))
  }
}
