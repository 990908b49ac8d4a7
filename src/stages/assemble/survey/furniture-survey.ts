import { centerX, centerY, height, width } from '../../../geometry/box.ts'
import type { Box } from '../../../schema/geometry.ts'
import type { PageBlock, PageResult } from '../../../schema/page.ts'
import { typeSize } from './block-look.ts'
import { isPageNumber, maxFurnitureChars, numberless, numbersFollow } from './repeated-text.ts'

export const zones = ['top', 'bottom', 'left', 'right'] as const
export type Zone = (typeof zones)[number]

/** A block at the edge of a page that may be a running header, footer or page number. */
export interface EdgeBlock {
  readonly block: PageBlock
  readonly zone: Zone
  /** Position across the zone's edge, fraction of the page. */
  readonly at: number
  readonly key: string
  readonly numbers: readonly number[]
  readonly sizePt: number
  /** A single line at the very edge with white space between it and the text. */
  readonly detached: boolean
}

/** Same place: so far, in fractions of the page, may a header move between pages. */
const samePlace = 0.012
/** Furniture is sought in these outer parts of a page, and the outermost blocks of it only. */
const outerPart = 0.25
const outerSide = 0.08
const outermostBlocks = 8
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
  sizeSum: number
}

/** What pass 1 learns of running headers and footers. */
export class FurnitureSurvey {
  readonly #texts = new Map<string, Track[]>()
  readonly #slots = new Map<string, Track>()
  readonly #seenPages = new Set<number>()
  #tracks = 0
  #pages = 0
  /** Pages that say one thing only. */
  #barePages = 0

  /** A page whose text is wholly that of an earlier page says nothing of what repeats: everything does. */
  add(page: PageResult): void {
    if (page.blocks.length === 0) return
    const print = fingerprint(page)
    if (this.#seenPages.has(print)) return
    if (this.#seenPages.size < maxTracked * 5) this.#seenPages.add(print)
    this.#pages++
    if (page.blocks.filter((block) => block.text.trim() !== '' && !isPageNumber(block.text)).length === 1) this.#barePages++
    for (const edge of edgeBlocks(page)) {
      this.#track(edge, page.index)
      if (edge.detached) this.#trackSlot(edge, page.index)
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
      occur(track, page, follows, edge.sizePt)
      track.numbers = edge.numbers
      return
    }
    const fresh: Track = { at: edge.at, count: 1, run: 1, bestRun: 1, lastPage: page, numbers: edge.numbers, sizeSum: edge.sizePt }
    if (known) known.push(fresh)
    else this.#texts.set(id, [fresh])
    this.#tracks++
  }

  #trackSlot(edge: EdgeBlock, page: number): void {
    const id = slotOf(edge)
    const track = this.#slots.get(id)
    if (track) occur(track, page, page - track.lastPage <= 2, edge.sizePt)
    else if (this.#slots.size < maxTracked)
      this.#slots.set(id, { at: edge.at, count: 1, run: 1, bestRun: 1, lastPage: page, numbers: [], sizeSum: edge.sizePt })
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

function occur(track: Track, page: number, continues: boolean, sizePt: number): void {
  if (track.lastPage === page) return
  track.run = continues ? track.run + 1 : 1
  track.bestRun = Math.max(track.bestRun, track.run)
  track.count++
  track.lastPage = page
  track.sizeSum += sizePt
}

/** The same words with figures that do not go with the pages, such as the totals of a table. */
const isDataRow = (track: Track): boolean => track.count >= 2 && track.bestRun === 1 && track.numbers.length > 0

const slotOf = (edge: EdgeBlock) => `${edge.zone} ${Math.round(edge.at * 200)} ${Math.round(edge.sizePt * 2)}`

/** What pass 2 asks: is this block at the edge of its page part of the running furniture? */
export class FurnitureRules {
  readonly #texts: ReadonlyMap<string, readonly Track[]>
  readonly #slots: ReadonlyMap<string, Track>
  readonly #pages: number
  /** Most pages hold one text only: though it repeats, it is what the document says. */
  readonly #isBare: boolean
  /** Type size of the running text, 0 when unknown. */
  readonly bodySizePt: number

  constructor(
    texts: ReadonlyMap<string, readonly Track[]>,
    slots: ReadonlyMap<string, Track>,
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
    // Two or three pages prove little: the text must stand at the very edge of most of them.
    if (this.#pages <= 3) return track.count >= 2 && track.bestRun >= 2 && isOuter(edge, 0.12) && !this.#isLarge(edge)
    // Slides and chapters repeat a large title on a few pages: only what stands on most pages is a header then.
    if (this.#isLarge(edge)) return track.count >= half && track.bestRun >= 3
    return track.bestRun >= 3 || (track.count >= half && track.count >= 3)
  }

  /** A place at the edge that holds one detached line on most pages is a header, though the text changes with every section. */
  #slotRepeats(edge: EdgeBlock): boolean {
    if (!edge.detached || this.#isLarge(edge) || !isOuter(edge, 0.1) || !slotKinds.has(edge.block.kind)) return false
    const slot = this.#slots.get(slotOf(edge))
    return slot !== undefined && slot.count >= Math.max(5, this.#pages / 2)
  }

  #isLarge(edge: EdgeBlock): boolean {
    return this.bodySizePt > 0 && edge.sizePt >= this.bodySizePt * 1.2
  }
}

const slotKinds: ReadonlySet<string> = new Set(['text', 'heading', 'page_header', 'page_footer', 'page_number', 'unknown', 'aside'])

const isOuter = (edge: EdgeBlock, part: number) => edge.at <= part || edge.at >= 1 - part

/** The blocks at the edges of a page, outermost first; long texts end the search from their side. */
export function edgeBlocks(page: PageResult): EdgeBlock[] {
  const seen = page.blocks.filter((b) => !b.flags.includes('hidden-text') && (b.text.trim() !== '' || b.image !== undefined))
  const found: EdgeBlock[] = []
  const taken = new Set<PageBlock>()
  const take = (block: PageBlock, zone: Zone, at: number, detached: boolean) => {
    if (taken.has(block)) return
    taken.add(block)
    found.push({ block, zone, at, ...textKey(block), sizePt: typeSize(block, page), detached })
  }
  for (const block of seen) {
    const x = centerX(block.box)
    if (width(block.box) < outerSide && height(block.box) > width(block.box) && (x < outerSide || x > 1 - outerSide) && isShort(block)) {
      take(block, x < 0.5 ? 'left' : 'right', x, false)
    }
  }
  const down = seen.filter((b) => !taken.has(b)).sort((a, b) => a.box[1] - b.box[1])
  walk(
    down,
    (box) => box[1],
    (block) => centerY(block.box) <= outerPart,
    (block, detached) => take(block, 'top', centerY(block.box), detached),
  )
  const up = seen.filter((b) => !taken.has(b)).sort((a, b) => b.box[3] - a.box[3])
  walk(
    up,
    (box) => 1 - box[3],
    (block) => centerY(block.box) >= 1 - outerPart,
    (block, detached) => take(block, 'bottom', centerY(block.box), detached),
  )
  return found
}

function walk(
  sorted: readonly PageBlock[],
  depth: (box: Box) => number,
  inPart: (block: PageBlock) => boolean,
  take: (block: PageBlock, detached: boolean) => void,
): void {
  const firstDepth = sorted[0] ? depth(sorted[0].box) : 0
  for (const block of sorted.slice(0, outermostBlocks)) {
    if (!inPart(block) || !isShort(block)) return
    const lineHeight = height(block.box)
    const atEdge = depth(block.box) - firstDepth <= lineHeight * 0.6
    const next = sorted.find((other) => depth(other.box) - depth(block.box) > lineHeight * 0.6)
    const gap = next ? depth(next.box) - depth(block.box) - lineHeight : 1
    take(block, atEdge && block.lines.length <= 1 && gap >= lineHeight * 1.2)
  }
}

/** At most three printed lines; a table or a picture only as small as a letterhead. */
function isShort(block: PageBlock): boolean {
  if (block.kind === 'table' || block.kind === 'figure' || block.kind === 'chart')
    return width(block.box) * height(block.box) < 0.06 && height(block.box) < 0.12
  return block.text.length <= maxFurnitureChars && block.lines.length <= 3
}

/** Numbers make no difference to a line of text; in a table they are the content. A picture is known by its size. */
function textKey(block: PageBlock): { key: string; numbers: readonly number[] } {
  if (block.kind === 'table') return { key: `table ${block.text.replace(/\s+/g, ' ').trim().slice(0, maxFurnitureChars)}`, numbers: [] }
  if (block.text.trim() === '') return { key: `picture ${Math.round(width(block.box) * 200)} ${Math.round(height(block.box) * 200)}`, numbers: [] }
  return numberless(block.text)
}

/** The kind that furniture of a zone gets. */
export function furnitureKind(edge: EdgeBlock): 'page_header' | 'page_footer' | 'page_number' {
  if (edge.block.kind !== 'table' && isPageNumber(edge.block.text)) return 'page_number'
  return edge.zone === 'bottom' ? 'page_footer' : 'page_header'
}

/** A number that is the same for pages with the same text (FNV-1a over all blocks). */
function fingerprint(page: PageResult): number {
  let hash = 0x811c9dc5
  for (const block of page.blocks) {
    for (let i = 0; i < block.text.length; i++) hash = Math.imul(hash ^ block.text.charCodeAt(i), 0x01000193)
    hash = Math.imul(hash ^ 0x0a, 0x01000193)
  }
  return hash >>> 0
}
