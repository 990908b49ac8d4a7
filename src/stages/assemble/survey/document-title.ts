import { height } from '../../../geometry/box.ts'
import type { PageBlock, PageResult } from '../../../schema/page.ts'
import { headingNumber } from '../../../text/heading-number.ts'
import { joinedText } from '../flow/join-text.ts'
import { measuredLook, printedLines } from './block-look.ts'
import { likeness, sameTitle, titleKey } from './fuzzy-title.ts'

/** What the document calls itself and, where they are, the headings that say so: one, or the lines of one title. */
export interface DocumentTitle {
  readonly text: string | undefined
  readonly blockIds: readonly string[]
}

/** Headings that stand line under line in one look. */
interface Candidate {
  readonly blocks: PageBlock[]
  readonly sizePt: number
  /** Measured on a picture. */
  readonly rough: boolean
  text: string
}

/** Titles that programs write when nobody gave one. */
const noTitle =
  /^(?:untitled|ohne titel|sans titre|document\d*|dokument\d*|presentation\d*|slide \d+|title|none|\(anonymous\)|microsoft (?:word|powerpoint|excel) ?- ?.*|.*\.(?:pdf|docx?|odt|tex|dvi|pptx?|xlsx?|indd|qxd|pages|numbers|key|rtf|csv|ps|html?|txt|jpe?g|tiff?|png))$/i

/** What the title finder asks of the rest of the document. */
export interface TitleRivals {
  /** Whether headings of later pages look the same, which makes a heading one among others. */
  looksElsewhere(block: PageBlock): boolean
  /** Whether the block is a running header. */
  repeats(block: PageBlock): boolean
  /** Type size of the running text, 0 when unknown. */
  readonly bodySizePt: number
}

/**
 * The title of a document: the metadata's only if it also stands on the first page that holds anything,
 * or if that page has no heading; else the heading that opens that page or is its largest.
 */
export class TitleFinder {
  readonly #claimed: string | undefined
  #candidates: Candidate[] = []
  #blocks: readonly PageBlock[] = []
  #seen = false

  constructor(metadataTitle: string | undefined) {
    const title = metadataTitle?.replace(/\s+/g, ' ').replace(/^[\s\-–—:·|]+|[\s\-–—:·|]+$/g, '')
    this.#claimed = title && !noTitle.test(title) ? title : undefined
  }

  /** Looks at the first page that holds something, ignores the rest. Pages come in order. */
  add(page: PageResult): void {
    if (this.#seen || page.blocks.length === 0) return
    this.#seen = true
    this.#blocks = page.blocks.filter((b) => !b.flags.includes('hidden-text') && b.text.trim() !== '')
    this.#candidates = candidates(this.#blocks, page)
  }

  finish(rivals: TitleRivals): DocumentTitle {
    const claimed = this.#claimed
    const all = this.#candidates.filter((c) => !c.blocks.every((b) => rivals.repeats(b)) || (this.#isLargest(c) && c.sizePt > rivals.bodySizePt * 1.15))
    const key = claimed ? titleKey(claimed) : ''
    const named = claimed ? all.find((c) => sameTitle(titleKey(c.text), key) || holds(titleKey(c.text), key)) : undefined
    if (named) return { text: claimed && claimed.length > named.text.length ? claimed : named.text, blockIds: idsOf(named) }
    const first = this.#opening(all, rivals)
    const largest = largestOf(all)
    const standsOut = first ?? (largest && this.#standsOut(largest, all, rivals) ? largest : undefined)
    const pageKey = titleKey(this.#blocks.map((b) => b.text).join(' ')).slice(0, 20_000)
    const holdsClaim = standsOut !== undefined && titleKey(standsOut.text).includes(key) // the metadata leaves out a part of what is printed
    if (claimed && key.length >= 8 && pageKey.includes(key) && !holdsClaim) return { text: claimed, blockIds: idsOf(standsOut) }
    return { text: (standsOut ?? largest)?.text ?? claimed, blockIds: idsOf(standsOut) }
  }

  /**
   * The heading that opens the page, if text follows it and no other heading looks like it: documents are found
   * whose title is printed smaller than their sections. One right above a larger heading only leads up to that.
   */
  #opening(all: readonly Candidate[], rivals: TitleRivals): Candidate | undefined {
    const opening = all.find((c) => c.blocks[0] === this.#blocks[0])
    const next = opening && this.#blocks[opening.blocks.length]
    const block = opening?.blocks[0]
    if (!opening || !block || !next || next.kind === 'heading' || isNumbered(opening.text) || rivals.looksElsewhere(block)) return undefined
    const alike = all.some((c) => c !== opening && sameSize(c.sizePt, opening.sizePt, opening.rough) && c.blocks[0]?.look?.bold === block.look?.bold)
    return alike || opening.sizePt < largeEnough(this.#blocks) ? undefined : opening
  }

  /** The largest heading is a title only if it is not numbered and no other heading is as large. */
  #standsOut(largest: Candidate, all: readonly Candidate[], rivals: TitleRivals): boolean {
    const block = largest.blocks[0]
    if (!block || isNumbered(largest.text) || rivals.looksElsewhere(block)) return false
    return !all.some((c) => c !== largest && c.sizePt >= largest.sizePt * (largest.rough ? 0.9 : 0.98) && c.blocks[0]?.look?.bold === block.look?.bold)
  }

  #isLargest(candidate: Candidate): boolean {
    return largestOf(this.#candidates) === candidate
  }
}

/** Neighbouring headings in one look, line under line, are one title. */
function candidates(blocks: readonly PageBlock[], page: PageResult): Candidate[] {
  const found: Candidate[] = []
  let before: PageBlock | undefined
  for (const block of blocks) {
    const last = found.at(-1)
    if (block.kind === 'heading' && titleKey(block.text) !== '') {
      const { sizePt, rough } = measuredLook(block, page)
      if (last && before && last.blocks.at(-1) === before && continues(last, before, block, sizePt, page)) {
        last.blocks.push(block)
        last.text = joinedText(last.text, block.text.replace(/\s+/g, ' ').trim())
      } else found.push({ blocks: [block], sizePt, rough, text: block.text.replace(/\s+/g, ' ').trim() })
    }
    before = block
  }
  return found
}

function continues(title: Candidate, before: PageBlock, block: PageBlock, sizePt: number, page: PageResult): boolean {
  if (!sameSize(title.sizePt, sizePt, title.rough) || before.look?.bold !== block.look?.bold || before.look?.italic !== block.look?.italic) return false
  if (isNumbered(title.text) || isNumbered(block.text) || title.blocks.length >= 4) return false
  const line = height(before.box) / printedLines(before, page)
  const gap = block.box[1] - before.box[3]
  return gap > -line * 0.5 && gap <= line * 0.9
}

const largestOf = (all: readonly Candidate[]): Candidate | undefined =>
  all.reduce<Candidate | undefined>((a, b) => (!a || b.sizePt > a.sizePt * 1.02 ? b : a), undefined)

/** The type size of the longest text of the page: a title is not smaller. */
function largeEnough(blocks: readonly PageBlock[]): number {
  const longest = blocks.filter((b) => b.kind === 'text').reduce<PageBlock | undefined>((a, b) => (!a || b.text.length > a.text.length ? b : a), undefined)
  return (longest?.look?.sizePt ?? 0) * 0.98
}

const idsOf = (candidate: Candidate | undefined): string[] => candidate?.blocks.map((b) => b.id) ?? []
const sameSize = (a: number, b: number, rough: boolean): boolean => Math.abs(a - b) <= Math.max(a, b) * (rough ? 0.12 : 0.03)

/** One title holds most of the other: a subtitle was left out of one of them. */
const holds = (a: string, b: string): boolean => a.length >= 8 && b.length >= 8 && (a.includes(b) || b.includes(a)) && likeness(a, b) >= 0.6

/** A lone letter or Roman numeral may open a title ("I. Newton"); a number or a word such as "Chapter" opens a section. */
const isNumbered = (text: string): boolean => ['decimal', 'keyword', 'cjk'].includes(headingNumber(text)?.style ?? '')
