import type { PageResult } from '../../../schema/page.ts'
import { type EdgeBlock, edgeBlocks } from './edge-blocks.ts'
import { isPageNumber, numbersFollow } from './repeated-text.ts'

/** Same place: so far, in fractions of the page, may a header move between pages. */
const samePlace = 0.012
/** Distinct texts that are remembered at once; rare ones are forgotten first. */
const maxTracked = 20_000

/** How often one text stood at one place. A run is broken by more than one page without it (odd and even pages alternate). */
interface Track {
  readonly at: number
  count: number
  run: number
  bestRun: number
  lastPage: number
  numbers: readonly number[]
}

/** How often one place held a detached line, whatever it said, and how its numbers stood to the page's. */
interface Slot {
  count: number
  /** How many of the lines say the title of a section that began on an earlier page. */
  titles: number
  readonly offsets: Map<number, number>
}

/** Differences between printed numbers and pages that are counted for one place. */
const maxOffsets = 64

/** What pass 1 learns of running headers and footers. */
export class FurnitureSurvey {
  readonly #texts = new Map<string, Track[]>()
  readonly #slots = new Map<string, Slot>()
  readonly #seenPages = new Set<number>()
  #tracks = 0
  #pages = 0
  /** Pages that say one thing only. */
  #barePages = 0

  /** A page whose text is wholly that of an earlier page says nothing of what repeats: everything does. */
  /** @param isTitle whether a text is the title of a section that began on an earlier page. */
  add(page: PageResult, isTitle: (text: string) => boolean): void {
    if (page.blocks.length === 0) return
    const print = fingerprint(page)
    if (this.#seenPages.has(print)) return
    if (this.#seenPages.size < maxTracked * 5) this.#seenPages.add(print)
    this.#pages++
    if (page.blocks.filter((block) => block.text.trim() !== '' && !isPageNumber(block.text)).length === 1) this.#barePages++
    for (const edge of edgeBlocks(page)) {
      this.#track(edge, page.index)
      if (edge.detached) this.#trackSlot(edge, isTitle)
    }
    if (this.#tracks > maxTracked) this.#forgetRare(page.index)
  }

  finish(bodySizePt: number): FurnitureRules {
    return new FurnitureRules(this.#texts, this.#slots, { pages: this.#pages, barePages: this.#barePages }, bodySizePt)
  }

  #track(edge: EdgeBlock, page: number): void {
    const id = `${edge.zone} ${edge.key}`
    const known = this.#texts.get(id)
    const track = known?.find((t) => Math.abs(t.at - edge.at) <= samePlace)
    if (track) {
      const gap = page - track.lastPage
      const follows = gap <= 2 && numbersFollow(track.numbers, edge.numbers, gap)
      occur(track, page, follows)
      track.numbers = edge.numbers
      return
    }
    const fresh: Track = { at: edge.at, count: 1, run: 1, bestRun: 1, lastPage: page, numbers: edge.numbers }
    if (known) known.push(fresh)
    else this.#texts.set(id, [fresh])
    this.#tracks++
  }

  #trackSlot(edge: EdgeBlock, isTitle: (text: string) => boolean): void {
    const id = slotOf(edge)
    let slot = this.#slots.get(id)
    if (!slot) {
      if (this.#slots.size >= maxTracked) return
      slot = { count: 0, titles: 0, offsets: new Map() }
      this.#slots.set(id, slot)
    }
    slot.count++
    if (edge.block.kind !== 'heading' && edge.zone === 'top' && isTitle(edge.block.text)) slot.titles++
    for (const offset of new Set(edge.numbers.map((n) => n - edge.page))) {
      if (slot.offsets.size < maxOffsets || slot.offsets.has(offset)) slot.offsets.set(offset, (slot.offsets.get(offset) ?? 0) + 1)
    }
  }

  #forgetRare(page: number): void {
    for (const [id, tracks] of this.#texts) {
      const kept = tracks.filter((t) => t.bestRun >= 3 || page - t.lastPage <= 4)
      this.#tracks -= tracks.length - kept.length
      if (kept.length > 0) this.#texts.set(id, kept)
      else this.#texts.delete(id)
    }
  }
}

function occur(track: Track, page: number, continues: boolean): void {
  if (track.lastPage === page) return
  track.run = continues ? track.run + 1 : 1
  track.bestRun = Math.max(track.bestRun, track.run)
  track.count++
  track.lastPage = page
}

/** The same words with figures that do not go with the pages, such as the totals of a table. */
const isDataRow = (track: Track): boolean => track.count >= 2 && track.bestRun === 1 && track.numbers.length > 0

const slotOf = (edge: EdgeBlock) => `${edge.zone} ${Math.round(edge.at * 200)} ${Math.round(edge.sizePt * 2)}`

/** What pass 2 asks: is this block at the edge of its page part of the running furniture? */
export class FurnitureRules {
  readonly #texts: ReadonlyMap<string, readonly Track[]>
  readonly #slots: ReadonlyMap<string, Slot>
  readonly #pages: number
  /** Most pages hold one text only: though it repeats, it is what the document says. */
  readonly #isBare: boolean
  /** Type size of the running text, 0 when unknown. */
  readonly bodySizePt: number

  constructor(
    texts: ReadonlyMap<string, readonly Track[]>,
    slots: ReadonlyMap<string, Slot>,
    counts: { readonly pages: number; readonly barePages: number },
    bodySizePt: number,
  ) {
    this.#texts = texts
    this.#slots = slots
    this.#pages = counts.pages
    this.#isBare = counts.barePages * 2 > counts.pages
    this.bodySizePt = bodySizePt
  }

  repeats(edge: EdgeBlock): boolean {
    if (this.#pages < 2) return false
    if (this.#isBare && !isPageNumber(edge.block.text)) return false
    const track = this.#texts.get(`${edge.zone} ${edge.key}`)?.find((t) => Math.abs(t.at - edge.at) <= samePlace)
    if (track && isDataRow(track)) return false
    return (track !== undefined && this.#textRepeats(track, edge)) || this.#slotRepeats(edge)
  }

  #textRepeats(track: Track, edge: EdgeBlock): boolean {
    const half = this.#pages / 2
    // Two or three pages prove little: the text must stand at the very edge of all of them but one.
    if (this.#pages <= 3)
      return track.count >= Math.max(2, this.#pages - 1) && track.bestRun >= 2 && isOuter(edge, 0.12) && edge.outermost && !this.#isLarge(edge)
    // Slides and chapters repeat a large title on a few pages: only what stands on most pages is a header then.
    if (this.#isLarge(edge)) return track.count >= half && track.bestRun >= 3
    return track.bestRun >= 3 || (track.count >= half && track.count >= 3)
  }

  /** A place at the edge that holds one detached line on most pages is a header, though the text changes with every section. */
  #slotRepeats(edge: EdgeBlock): boolean {
    if (!edge.outermost || this.#isLarge(edge) || !isOuter(edge, 0.1) || !slotKinds.has(edge.block.kind)) return false
    const slot = this.#slots.get(slotOf(edge))
    if (!slot) return false
    // Where one page repeats the title of its section, the others say theirs, or what they hold.
    if (slot.titles > 0 && edge.detached && edge.block.kind !== 'heading') return true
    if (slot.count < Math.max(5, this.#pages / 2)) return false
    // Figures that do not go with the pages are content: the last row of a table, too, may stand alone at the foot of page after page.
    return edge.numbers.length === 0 || edge.numbers.some((n) => (slot.offsets.get(n - edge.page) ?? 0) >= 3)
  }

  #isLarge(edge: EdgeBlock): boolean {
    return this.bodySizePt > 0 && edge.sizePt >= this.bodySizePt * 1.2
  }
}

const slotKinds: ReadonlySet<string> = new Set(['text', 'heading', 'page_header', 'page_footer', 'page_number', 'unknown', 'aside'])

const isOuter = (edge: EdgeBlock, part: number) => edge.at <= part || edge.at >= 1 - part

/** A number that is the same for pages with the same text (FNV-1a over all blocks). */
function fingerprint(page: PageResult): number {
  let hash = 0x811c9dc5
  for (const block of page.blocks) {
    for (let i = 0; i < block.text.length; i++) hash = Math.imul(hash ^ block.text.charCodeAt(i), 0x01000193)
    hash = Math.imul(hash ^ 0x0a, 0x01000193)
  }
  return hash >>> 0
}
