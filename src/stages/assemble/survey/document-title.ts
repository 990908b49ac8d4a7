import type { PageBlock, PageResult } from '../../../schema/page.ts'
import { headingNumber } from '../../../text/heading-number.ts'
import { measuredLook } from './block-look.ts'
import { likeness, sameTitle, titleKey } from './fuzzy-title.ts'

/** What the document calls itself and, where one is, the heading that says so. */
export interface DocumentTitle {
  readonly text: string | undefined
  readonly blockId: string | undefined
}

interface Candidate {
  readonly block: PageBlock
  readonly sizePt: number
}

/** Titles that programs write when nobody gave one. */
const noTitle =
  /^(?:untitled|ohne titel|sans titre|document\d*|dokument\d*|presentation\d*|slide \d+|title|none|\(anonymous\)|microsoft (?:word|powerpoint|excel) ?- ?.*|.*\.(?:pdf|docx?|odt|tex|dvi|pptx?|xlsx?|indd|qxd|ps|html?|txt|jpe?g|tiff?|png))$/i

/**
 * The title of a document: the metadata's only if it also stands on the first page that holds anything,
 * or if that page has no heading; else the largest heading of that page.
 */
export class TitleFinder {
  readonly #claimed: string | undefined
  #headings: Candidate[] = []
  #pageKey = ''
  #page: number | undefined

  constructor(metadataTitle: string | undefined) {
    const title = metadataTitle?.replace(/\s+/g, ' ').trim()
    this.#claimed = title && !noTitle.test(title) ? title : undefined
  }

  /** Looks at the first page that holds something, ignores the rest. Pages come in order. */
  add(page: PageResult): void {
    if (this.#page !== undefined || page.blocks.length === 0) return
    this.#page = page.index
    const visible = page.blocks.filter((b) => !b.flags.includes('hidden-text'))
    this.#pageKey = titleKey(visible.map((b) => b.text).join(' ')).slice(0, 20_000)
    this.#headings = visible
      .filter((b) => b.kind === 'heading' && titleKey(b.text) !== '')
      .map((block) => ({ block, sizePt: measuredLook(block, page).sizePt }))
  }

  /** `looksElsewhere`: whether headings of later pages look the same, which makes the largest one a heading among others. */
  finish(looksElsewhere: (block: PageBlock) => boolean): DocumentTitle {
    const claimed = this.#claimed
    const key = claimed ? titleKey(claimed) : ''
    const named = claimed ? this.#headings.find((h) => sameTitle(titleKey(h.block.text), key) || part(titleKey(h.block.text), key)) : undefined
    if (named) return { text: longer(claimed, named.block.text), blockId: named.block.id }
    const largest = this.#headings.reduce<Candidate | undefined>((a, b) => (!a || b.sizePt > a.sizePt * 1.02 ? b : a), undefined)
    if (claimed && key.length >= 8 && this.#pageKey.includes(key)) return { text: claimed, blockId: this.#titleBlock(largest, looksElsewhere) }
    if (!largest) return { text: claimed, blockId: undefined }
    return { text: largest.block.text.replace(/\s+/g, ' ').trim(), blockId: this.#titleBlock(largest, looksElsewhere) }
  }

  /** The largest heading is a title only if it stands out: not numbered, and no other heading is as large. */
  #titleBlock(largest: Candidate | undefined, looksElsewhere: (block: PageBlock) => boolean): string | undefined {
    if (!largest || numbered(largest.block.text) || looksElsewhere(largest.block)) return undefined
    const rivals = this.#headings.filter((h) => h !== largest && h.sizePt >= largest.sizePt * 0.98 && h.block.look?.bold === largest.block.look?.bold)
    return rivals.length === 0 ? largest.block.id : undefined
  }
}

/** A heading that holds most of the claimed title, or is most of it: a subtitle was left out of one of them. */
const part = (a: string, b: string) => a.length >= 8 && b.length >= 8 && (a.startsWith(b) || b.startsWith(a)) && likeness(a, b) >= 0.6

const longer = (claimed: string | undefined, printed: string) => {
  const text = printed.replace(/\s+/g, ' ').trim()
  return claimed && claimed.length > text.length ? claimed : text
}

/** A lone letter or Roman numeral may open a title ("I. Newton"); a number or a word such as "Chapter" opens a section. */
const numbered = (text: string) => ['decimal', 'keyword', 'cjk'].includes(headingNumber(text)?.style ?? '')
