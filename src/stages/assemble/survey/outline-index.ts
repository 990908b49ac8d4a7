import type { DocumentInfo } from '../../../schema/document.ts'
import { sameTitle, titleKey } from './fuzzy-title.ts'

interface Entry {
  readonly key: string
  readonly level: number
}

/** Bookmarks beyond this are not looked at. */
const maxEntries = 20_000

/** The outline by page: which bookmark names a heading. A bookmark often points to the page before or the line above. */
export class OutlineIndex {
  readonly #byPage = new Map<number, Entry[]>()
  readonly size: number

  constructor(outline: DocumentInfo['outline']) {
    for (const { title, level, page } of outline.slice(0, maxEntries)) {
      const key = titleKey(title)
      if (key === '') continue
      const entries = this.#byPage.get(page)
      if (entries) entries.push({ key, level })
      else this.#byPage.set(page, [{ key, level }])
    }
    this.size = this.#byPage.size
  }

  /** Level of the bookmark with this title on the page or next to it, 1 = outermost. */
  level(key: string, page: number): number | undefined {
    if (this.size === 0 || key === '') return undefined
    for (const near of [page, page - 1, page + 1]) {
      const levels = this.#byPage.get(near)?.flatMap((e) => (sameTitle(e.key, key) ? e.level : []))
      // An abstract and the text below it may both have a "Background": the outer one is the section.
      if (levels && levels.length > 0) return Math.min(...levels)
    }
    return undefined
  }

  /** As `level`, for a block that is not marked as a heading: the title must be the whole text, on that very page. */
  exactLevel(key: string, page: number): number | undefined {
    return key === '' ? undefined : this.#byPage.get(page)?.find((e) => e.key === key)?.level
  }
}
