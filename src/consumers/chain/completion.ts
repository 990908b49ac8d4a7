import type { ArtifactRef, DocumentOpened, PageRecognized } from '../../schema/events.ts'
import type { DocumentSource, PageRef } from '../../schema/page.ts'
import type { Artifacts } from '../../store/artifacts.ts'
import { resultsKey } from './keys.ts'

/** A document all of whose pages have come to an end. */
export interface CompleteDocument {
  readonly documentId: string
  readonly revision: string
  readonly source: DocumentSource
  readonly opened: DocumentOpened
  readonly results: ReadonlyMap<number, ArtifactRef>
}

interface Progress {
  readonly opened: DocumentOpened
  readonly results: Map<number, ArtifactRef>
  /** Pages whose event has come. */
  readonly seen: Set<number>
  complete: boolean
}

/** Documents under way that are remembered, and pages of them; the one whose last page is longest ago is looked up anew when it goes on. */
const mostDocuments = 10_000
const mostPages = 500_000

/**
 * Remembers which pages of which documents have a terminal result. It holds references only, for documents under way; a page
 * that comes twice counts once. `rebuild`: what came before this process, or went to another one, is looked up in the store.
 */
export class Completion {
  readonly #artifacts: Artifacts
  readonly #rebuild: boolean
  readonly #mostPages: number
  readonly #documents = new Map<string, Promise<Progress>>()
  /** How many pages each of them has, and all have together. */
  readonly #pageCounts = new Map<string, number>()
  #pages = 0
  /** Pages of complete documents that were found in the store before their event came: it is still on its way. */
  readonly #late = new Map<string, Set<number>>()
  /** Complete documents that are being assembled, and the page whose event completed each. */
  readonly #ending = new Map<string, number>()

  constructor(artifacts: Artifacts, options: { readonly rebuild: boolean; readonly mostPages?: number }) {
    this.#artifacts = artifacts
    this.#rebuild = options.rebuild
    this.#mostPages = options.mostPages ?? mostPages
  }

  /** Whether pages of the document have come before and it is not complete. */
  knows({ documentId, revision }: PageRef): boolean {
    return this.#documents.has(`${documentId}/${revision}`)
  }

  /** Whether the page belongs to a document that was complete without its event; true once a page. */
  isLate({ documentId, revision, pageIndex }: PageRef): boolean {
    const key = `${documentId}/${revision}`
    const pages = this.#late.get(key)
    if (!pages?.delete(pageIndex)) return false
    if (pages.size === 0) this.#late.delete(key)
    return true
  }

  /** A complete document was assembled, or could not be. */
  ended({ documentId, revision }: CompleteDocument): void {
    this.#ending.delete(`${documentId}/${revision}`)
  }

  /** What is remembered may be wrong now: other processes had pages of these documents. All is looked up in the store again. */
  forget(): void {
    for (const key of [...this.#documents.keys()]) this.#drop(key)
    this.#late.clear()
  }

  /** A document that was complete and could not be assembled: the page that completed it does so again. */
  reopen({ documentId, revision, opened, results }: CompleteDocument): void {
    const key = `${documentId}/${revision}`
    if (this.#documents.has(key)) return
    this.#keep(key, Promise.resolve({ opened, results: new Map(results), seen: new Set(opened.pages), complete: false }), opened.pages.length)
  }

  /**
   * Notes a finished page; answers with the document when it was the last. While the document is then assembled, until `ended`, other pages
   * of it have nothing to add: the one that completed it owes its end.
   */
  async add(event: PageRecognized & { kind: 'page' }): Promise<CompleteDocument | undefined> {
    const { documentId, revision, source, pageIndex } = event.page
    const key = `${documentId}/${revision}`
    if ((this.#ending.get(key) ?? pageIndex) !== pageIndex) return undefined
    const promise = this.#documents.get(key) ?? this.#begin(event)
    this.#keep(key, promise, event.page.pageCount)
    const progress = await promise.catch((error: unknown) => {
      if (this.#documents.get(key) === promise) this.#drop(key) // tried again with the next page
      throw error
    })
    if (progress.complete) return undefined // another page of the same turn was the last
    if (this.#documents.get(key) !== promise) return this.add(event) // forgotten meanwhile
    progress.results.set(pageIndex, event.result)
    progress.seen.add(pageIndex)
    if (progress.results.size < progress.opened.pages.length) return undefined
    progress.complete = true
    this.#drop(key)
    this.#expectLate(key, progress)
    this.#ending.set(key, pageIndex)
    return { documentId, revision, source, opened: progress.opened, results: progress.results }
  }

  /** As the one that went on last; others make room. */
  #keep(key: string, progress: Promise<Progress>, pages: number): void {
    this.#drop(key)
    this.#documents.set(key, progress)
    this.#pageCounts.set(key, pages)
    this.#pages += pages
    if (!this.#rebuild) return
    for (const oldest of this.#documents.keys()) {
      if (oldest === key || (this.#documents.size <= mostDocuments && this.#pages <= this.#mostPages)) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#documents.delete(key)
    this.#pages -= this.#pageCounts.get(key) ?? 0
    this.#pageCounts.delete(key)
  }

  #expectLate(key: string, { opened, seen }: Progress): void {
    const late = opened.pages.filter((page) => !seen.has(page))
    if (late.length === 0) return
    this.#late.set(key, new Set(late))
    const [oldest] = this.#late.keys()
    if (oldest !== undefined && this.#late.size > mostDocuments) this.#late.delete(oldest)
  }

  async #begin({ page, opened: ref }: PageRecognized & { kind: 'page' }): Promise<Progress> {
    const opened = await this.#artifacts.get<DocumentOpened>(ref)
    const results = new Map<number, ArtifactRef>()
    const seen = new Set<number>()
    if (!this.#rebuild) return { opened, results, seen, complete: false }
    const asked = new Set(opened.pages)
    for await (const { name, ref: result } of this.#artifacts.list(resultsKey(page.documentId, page.revision))) {
      if (asked.has(Number(name))) results.set(Number(name), result)
    }
    return { opened, results, seen, complete: false }
  }
}
