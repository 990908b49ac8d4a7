import type { BlockKind } from '../../../schema/block-kind.ts'
import type { DocumentBlock, DocumentPage } from '../../../schema/document.ts'
import type { OutputSink, WritableTextFile } from '../../../store/output-sink.ts'
import type { AssembledBlock, DocumentHead, OutputWriter } from '../writers/output-writer.ts'
import { blockHtml, hrefOf } from './block-html.ts'
import { type PagePicture, type PlacedBlock, pageEnd, pageStart } from './page-html.ts'
import { type ContentsEntry, viewerEnd, viewerStart } from './viewer-frame.ts'

/** Makes and stores the picture of a page; undefined when there can be none. */
export type MakePagePicture = (page: DocumentPage) => Promise<PagePicture | undefined>

/** Pages whose pictures are made at once. */
const picturesAtOnce = 4
/** Longest list of contents. */
const maxContents = 2000

/**
 * document.html: page by page the picture on the left, the text on the right, boxes that link them both ways.
 * Written as a stream: it holds the boxes of the open page and those that joined blocks have on later pages.
 */
export class ViewerWriter implements OutputWriter {
  readonly #file: WritableTextFile
  readonly #makePicture: MakePagePicture
  readonly #pictures: (Promise<PagePicture | undefined> | undefined)[] = []
  readonly #paths: string[] = []
  #head: DocumentHead | undefined
  /** Pages that were begun; the last of them is open. */
  #begun = 0
  #openIsEmpty = true
  /** By page index: what has a box there. Entries leave when their page ends. */
  readonly #placed = new Map<number, PlacedBlock[]>()
  readonly #contents: ContentsEntry[] = []
  readonly #kinds = new Map<BlockKind, number>()
  #headingLevel = 2

  constructor(sink: OutputSink, makePicture: MakePagePicture) {
    this.#file = sink.stream('document.html')
    this.#makePicture = makePicture
  }

  async begin(head: DocumentHead): Promise<void> {
    this.#head = head
    await this.#file.write(viewerStart(head))
  }

  async block({ block }: AssembledBlock): Promise<void> {
    if (!block) return
    while (this.#begun < this.#pages.length && (this.#open?.index ?? -1) < block.page) await this.#nextPage()
    this.#note(block)
    this.#openIsEmpty = false
    await this.#file.write(blockHtml(block, this.#htmlLevel(block)))
  }

  async end(): Promise<readonly string[]> {
    while (this.#begun < this.#pages.length) await this.#nextPage()
    await this.#endPage()
    const contents = this.#contents.length > 0 ? this.#contents : this.#outline()
    await this.#file.write(viewerEnd(contents, this.#kinds))
    await this.#file.close()
    return ['document.html', ...this.#paths]
  }

  async abandon(): Promise<void> {
    await Promise.allSettled(this.#pictures)
    await this.#file.discard()
  }

  get #pages(): readonly DocumentPage[] {
    return this.#head?.pages ?? []
  }

  get #open(): DocumentPage | undefined {
    return this.#begun === 0 ? undefined : this.#pages[this.#begun - 1]
  }

  async #nextPage(): Promise<void> {
    await this.#endPage()
    const page = this.#pages[this.#begun++]
    if (!page) return
    for (let ahead = this.#begun - 1; ahead < this.#begun - 1 + picturesAtOnce; ahead++) this.#startPicture(ahead)
    this.#openIsEmpty = true
    this.#headingLevel = 2 // that of the page's own heading
    const begunBefore = new Set((this.#placed.get(page.index) ?? []).map(({ block }) => block))
    await this.#file.write(pageStart(page, [...begunBefore]))
  }

  async #endPage(): Promise<void> {
    const page = this.#open
    if (!page) return
    const picture = await this.#pictures[this.#begun - 1]
    this.#pictures[this.#begun - 1] = undefined
    if (picture) this.#paths.push(picture.path)
    const placed = this.#placed.get(page.index) ?? []
    this.#placed.delete(page.index)
    await this.#file.write(pageEnd(page, picture, placed, this.#openIsEmpty && placed.length === 0))
  }

  #startPicture(at: number): void {
    const page = this.#pages[at]
    if (!page || at < this.#pictures.length) return
    const picture = page.status === 'ok' ? this.#makePicture(page) : undefined
    picture?.catch(() => {}) // met by `#endPage`
    this.#pictures.push(picture)
  }

  #note(block: DocumentBlock): void {
    this.#kinds.set(block.kind, (this.#kinds.get(block.kind) ?? 0) + 1)
    if (block.kind === 'heading' && this.#contents.length < maxContents) {
      this.#contents.push({ title: block.text.slice(0, 200), level: block.level ?? 1, href: hrefOf(block.id) })
    }
    const open = this.#open?.index ?? 0
    for (const { page, box } of block.parts ?? [{ page: block.page, box: block.box }]) {
      if (page < open) continue // its page was written without it
      const placed = this.#placed.get(page)
      if (placed) placed.push({ block, box })
      else this.#placed.set(page, [{ block, box }])
    }
  }

  /** Levels of HTML headings follow those of the document, but never leave one out. */
  #htmlLevel({ kind, level }: DocumentBlock): number {
    if (kind !== 'heading') return 0
    this.#headingLevel = Math.min(6, (level ?? 1) + 2, this.#headingLevel + 1)
    return this.#headingLevel
  }

  #outline(): ContentsEntry[] {
    return (this.#head?.outline ?? [])
      .slice(0, maxContents)
      .map(({ title, level, page }) => ({ title: title.slice(0, 200), level: Math.min(6, Math.max(1, level)), href: `#p-${page + 1}` }))
  }
}
