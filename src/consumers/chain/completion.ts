import type { ArtifactRef, DocumentOpened, PageRecognized } from '../../schema/events.ts'
import type { DocumentSource } from '../../schema/page.ts'
import type { Artifacts } from '../../store/artifacts.ts'

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
}

/**
 * Remembers which pages of which documents have a terminal result. It holds references only, for
 * documents under way; a page that comes twice counts once.
 */
export class Completion {
  readonly #artifacts: Artifacts
  readonly #documents = new Map<string, Promise<Progress>>()

  constructor(artifacts: Artifacts) {
    this.#artifacts = artifacts
  }

  /** Notes a finished page; answers with the document when it was the last. */
  async add(event: PageRecognized & { kind: 'page' }): Promise<CompleteDocument | undefined> {
    const { documentId, revision, source, pageIndex } = event.page
    const key = `${documentId}/${revision}`
    let promise = this.#documents.get(key)
    if (!promise) {
      promise = this.#artifacts.get<DocumentOpened>(event.opened).then((opened) => ({ opened, results: new Map() }))
      this.#documents.set(key, promise)
    }
    const progress = await promise
    progress.results.set(pageIndex, event.result)
    if (progress.results.size < progress.opened.pages.length || this.#documents.get(key) !== promise) return undefined
    this.#documents.delete(key)
    return { documentId, revision, source, opened: progress.opened, results: progress.results }
  }
}
