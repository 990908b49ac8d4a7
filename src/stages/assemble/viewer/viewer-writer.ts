import type { DocumentPage } from '../../../schema/document.ts'
import type { OutputSink, WritableTextFile } from '../../../store/output-sink.ts'
import type { AssembledBlock, DocumentHead, OutputWriter } from '../writers/output-writer.ts'
import { blockHtml } from './block-html.ts'
import { type PagePicture, pageHtml, viewerEnd, viewerMiddle, viewerStart } from './viewer-frame.ts'

/** Makes and stores the picture of a page; undefined when there can be none. */
export type MakePagePicture = (page: DocumentPage) => Promise<PagePicture | undefined>

/** Pages whose pictures are made at once. */
const picturesAtOnce = 4

/**
 * document.html: page pictures on the left, text on the right, boxes that link them both ways. Written block by
 * block; what it needs of a page is its picture beside the file.
 */
export class ViewerWriter implements OutputWriter {
  readonly #file: WritableTextFile
  readonly #makePicture: MakePagePicture
  readonly #pictures: string[] = []

  constructor(sink: OutputSink, makePicture: MakePagePicture) {
    this.#file = sink.stream('document.html')
    this.#makePicture = makePicture
  }

  async begin(head: DocumentHead): Promise<void> {
    await this.#file.write(viewerStart(head))
    for (let first = 0; first < head.pages.length; first += picturesAtOnce) {
      const some = head.pages.slice(first, first + picturesAtOnce)
      const pictures = await Promise.all(some.map((page) => (page.status === 'ok' ? this.#makePicture(page) : undefined)))
      for (const [i, page] of some.entries()) {
        const picture = pictures[i]
        if (picture) this.#pictures.push(picture.path)
        await this.#file.write(pageHtml(page, picture))
      }
    }
    await this.#file.write(viewerMiddle)
  }

  async block({ block }: AssembledBlock): Promise<void> {
    if (block) await this.#file.write(blockHtml(block))
  }

  async end(): Promise<readonly string[]> {
    await this.#file.write(viewerEnd)
    await this.#file.close()
    return ['document.html', ...this.#pictures]
  }

  abandon(): Promise<void> {
    return this.#file.discard()
  }
}
