import type { PageFrame, PageRef } from '../../../schema/page.ts'
import type { Documents, Picture } from '../../document-reader.ts'

export interface PictureCacheOptions {
  readonly documents: Documents
  readonly dpi: number
  readonly maxPixels: number
  /** Pixels that are kept for whoever asks next, in bytes; one picture is kept in any case. */
  readonly maxBytes: number
}

interface Kept {
  readonly picture: Promise<Picture>
  bytes: number
}

/**
 * Pictures of pages for the stages of a process that look at the same page one after the other: each is made once, as long as
 * there is room, and made again when it was put out. Keyed by content: what the document is and how the page is turned.
 */
export class PictureCache {
  readonly #options: PictureCacheOptions
  /** The one that was asked for last stands last. */
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  constructor(options: PictureCacheOptions) {
    this.#options = options
  }

  /** The upright page, grey where it has no colour. Rejects with `page-*`, `picture-*`, `document-*` codes. */
  of(page: PageRef, frame: PageFrame): Promise<Picture> {
    const key = keyOf(page, frame)
    const known = this.#kept.get(key)
    if (known) {
      this.#kept.delete(key)
      this.#kept.set(key, known)
      return known.picture
    }
    const kept: Kept = { picture: this.#make(page, frame), bytes: 0 }
    this.#kept.set(key, kept)
    kept.picture.then(
      ({ data }) => this.#weigh(key, kept, data.length),
      () => this.#forget(key, kept),
    )
    return kept.picture
  }

  /** Nobody will ask for this page again. */
  release(page: PageRef, frame: PageFrame): void {
    const key = keyOf(page, frame)
    const kept = this.#kept.get(key)
    if (kept) this.#forget(key, kept)
  }

  #make(page: PageRef, { angle }: PageFrame): Promise<Picture> {
    const { documents, dpi, maxPixels } = this.#options
    return documents.use(page.source, (document) => document.picture(page.pageIndex, { dpi, angle, channels: 'fewest', maxPixels }))
  }

  #weigh(key: string, kept: Kept, bytes: number): void {
    if (this.#kept.get(key) !== kept) return
    kept.bytes = bytes
    this.#bytes += bytes
    for (const [oldKey, old] of this.#kept) {
      if (this.#bytes <= this.#options.maxBytes || old === kept) return
      if (old.bytes > 0) this.#forget(oldKey, old)
    }
  }

  #forget(key: string, kept: Kept): void {
    if (this.#kept.get(key) !== kept) return
    this.#kept.delete(key)
    this.#bytes -= kept.bytes
  }
}

const keyOf = ({ source, pageIndex }: PageRef, { angle }: PageFrame): string => `${source.sha256}/${pageIndex}/${angle}`
