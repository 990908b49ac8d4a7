import type { DocumentInfo, DocumentPage } from '../../../schema/document.ts'
import type { PageBlock, PageResult } from '../../../schema/page.ts'
import { type MeasuredLook, measuredLook } from './block-look.ts'
import { type DocumentTitle, TitleFinder } from './document-title.ts'
import { edgeBlocks } from './edge-blocks.ts'
import { type FurnitureRules, FurnitureSurvey } from './furniture-survey.ts'
import { titleKey, withoutNumber } from './fuzzy-title.ts'
import { headingRecord } from './heading-class.ts'
import { HeadingLevels } from './heading-levels.ts'
import { OutlineIndex } from './outline-index.ts'
import { Spelling } from './spelling.ts'
import type { HeadingToLevel } from './title-leveller.ts'

/** Headings remembered to find the levels by; a document with more is levelled by the first ones. */
const maxHeadings = 30_000
/** Distinct looks that are counted. */
const maxLooks = 4_000

/** What the whole document says of its parts. */
export interface Survey {
  readonly pages: readonly DocumentPage[]
  readonly title: DocumentTitle
  readonly furniture: FurnitureRules
  readonly headings: HeadingRules
  readonly spelling: Spelling
  /** The page on which the document begins: the first that holds anything. */
  readonly firstPage: number | undefined
}

interface Seen {
  readonly id: string
  readonly page: number
  readonly text: string
  readonly look: MeasuredLook
  readonly tagLevel: number | undefined
  /** The heading right before it. */
  readonly after: string | undefined
  readonly isFurniture: (rules: FurnitureRules) => boolean
}

/** Counts of the characters and headings that are printed in one look. */
interface LookCount {
  readonly look: MeasuredLook
  chars: number
  headings: number
  texts: number
}

/** Pass 1: sees every page once, in order, and keeps a few numbers of each. */
export class DocumentSurvey {
  readonly #pages: DocumentPage[] = []
  readonly #title: TitleFinder
  readonly #outline: OutlineIndex
  readonly #spelling = new Spelling()
  readonly #furniture = new FurnitureSurvey()
  readonly #looks = new Map<string, LookCount>()
  #headings: Seen[] = []
  /** Titles of the sections so far. */
  readonly #titles = new Set<string>()
  #firstPage: number | undefined

  constructor(info: Pick<DocumentInfo, 'metadata' | 'outline'> | undefined) {
    this.#title = new TitleFinder(info?.metadata.title)
    this.#outline = new OutlineIndex(info?.outline ?? [])
  }

  add(page: PageResult): void {
    this.#pages.push(pageFacts(page))
    if (page.blocks.length > 0) this.#firstPage ??= page.index
    this.#title.add(page)
    this.#furniture.add(page, (text) => this.#titles.has(withoutNumber(titleKey(text))))
    this.#spelling.add(page)
    const titles: string[] = []
    const edges = new Map(edgeBlocks(page).map((edge) => [edge.block, edge]))
    let before: PageBlock | undefined
    for (const block of page.blocks) {
      if (block.flags.includes('hidden-text')) continue
      this.#countLook(block, page)
      const after = before?.kind === 'heading' ? before.id : undefined
      before = block
      if (block.kind !== 'heading' || this.#headings.length >= maxHeadings) continue
      const edge = edges.get(block)
      const { id, text, level } = block
      titles.push(withoutNumber(titleKey(text)))
      const isFurniture = edge ? (rules: FurnitureRules) => rules.repeats(edge) : () => false
      this.#headings.push({ id, page: page.index, text: text.slice(0, 200), look: measuredLook(block, page), tagLevel: level, after, isFurniture })
    }
    for (const title of titles) if (title !== '') this.#titles.add(title)
  }

  finish(): Survey {
    const body = this.#bodyLook()
    const furniture = this.#furniture.finish(body?.look.sizePt ?? 0)
    const isTitlePage = (seen: Seen) => seen.page === this.#firstPage
    const headings = this.#headings.filter((h) => isTitlePage(h) || !h.isFurniture(furniture))
    const title = this.#title.finish({
      looksElsewhere: (block) => headings.some((h) => h.page !== this.#firstPage && sameLook(h.look, block)),
      repeats: (block) => headings.some((h) => h.id === block.id && h.isFurniture(furniture)),
      bodySizePt: furniture.bodySizePt,
    })
    const outline = this.#outline
    const leading = new Set(title.blockIds)
    for (const { id, after } of headings) if (after !== undefined && leading.has(after)) leading.add(id)
    const isTitle = (id: string) => title.blockIds.includes(id)
    const records = headings.map(({ id, page, text, look, tagLevel }) =>
      headingRecord(text, look, {
        tagLevel,
        outlineLevel: outline.level(titleKey(text), page),
        isTitle: isTitle(id),
        followsTitle: leading.has(id) && !isTitle(id),
      }),
    )
    const rules = new HeadingRules(new HeadingLevels(records), outline, { title: title.blockIds, leading }, body?.look, this.#headingLooks(), headings)
    this.#headings = []
    return { pages: this.#pages, title, furniture, headings: rules, spelling: this.#spelling, firstPage: this.#firstPage }
  }

  #countLook(block: PageBlock, page: PageResult): void {
    const look = measuredLook(block, page)
    if (look.sizePt <= 0) return
    const name = lookName(look)
    let count = this.#looks.get(name)
    if (!count) {
      if (this.#looks.size >= maxLooks) return
      count = { look, chars: 0, headings: 0, texts: 0 }
      this.#looks.set(name, count)
    }
    if (block.kind === 'heading') count.headings++
    else if (block.kind === 'text' || block.kind === 'list_item') {
      count.texts++
      count.chars += block.text.length
    }
  }

  /** The look in which most of the running text is printed. */
  #bodyLook(): LookCount | undefined {
    let body: LookCount | undefined
    for (const count of this.#looks.values()) if (count.chars > (body?.chars ?? 0)) body = count
    return body
  }

  /** Looks in which the document prints headings far more often than text. */
  #headingLooks(): ReadonlySet<string> {
    return new Set([...this.#looks].filter(([, c]) => c.headings >= 3 && c.headings >= 4 * c.texts).map(([name]) => name))
  }
}

/** The headings that make the title, and those with all that follow them directly. */
interface TitleIds {
  readonly title: readonly string[]
  readonly leading: ReadonlySet<string>
}

/** What pass 2 asks about headings. */
export class HeadingRules {
  readonly #levels: HeadingLevels
  readonly #outline: OutlineIndex
  readonly #ids: TitleIds
  readonly #body: MeasuredLook | undefined
  readonly #headingLooks: ReadonlySet<string>
  readonly #listed: readonly string[]
  readonly #told = new Map<string, number>()
  /** The headings that their pages tell, in reading order. */
  readonly toLevel: readonly HeadingToLevel[]

  constructor(
    levels: HeadingLevels,
    outline: OutlineIndex,
    ids: TitleIds,
    body: MeasuredLook | undefined,
    headingLooks: ReadonlySet<string>,
    headings: readonly Seen[],
  ) {
    this.#listed = headings.map(({ id }) => id)
    this.toLevel = headings.map(({ text, look, page }) => ({ text, sizePt: look.sizePt, pageNumber: page + 1 }))
    this.#levels = levels
    this.#outline = outline
    this.#ids = ids
    this.#body = body
    this.#headingLooks = headingLooks
  }

  /** Takes over levels that somebody gives, one for each of `toLevel`; false where they are not so many, and all keep their own. */
  follow(levels: readonly number[] | undefined): boolean {
    if (levels?.length !== this.#listed.length) return false
    for (const [i, id] of this.#listed.entries()) this.#told.set(id, levels[i] ?? 1)
    return true
  }

  /** 1..6 for a heading; undefined for a block that is none, whatever its page thought of it. */
  level(block: PageBlock, page: PageResult): number | undefined {
    const look = measuredLook(block, page)
    const outlineLevel = this.#outline.level(titleKey(block.text), page.index)
    const isTitle = this.#ids.title.includes(block.id)
    const record = headingRecord(block.text, look, {
      tagLevel: block.kind === 'heading' ? block.level : undefined,
      outlineLevel,
      isTitle,
      followsTitle: this.#ids.leading.has(block.id) && !isTitle,
    })
    if (block.kind === 'heading') {
      const backed = isTitle || block.level !== undefined || outlineLevel !== undefined || record.numbering !== undefined || record.isSection
      return !backed && this.#isBody(look, block) ? undefined : (this.#told.get(block.id) ?? this.#levels.level(record))
    }
    return this.#isMissedHeading(block, page, look) ? this.#levels.level(record) : undefined
  }

  /** A page of notes or of a title has another main type than the document: what only stands out there is no heading. */
  #isBody(look: MeasuredLook, block: PageBlock): boolean {
    const body = this.#body
    if (!body || look.rough || !block.look || block.look.centered || look.capitals) return false
    return look.sizePt <= body.sizePt * 1.02 && (!look.bold || body.bold) && (!look.italic || body.italic) && look.font === body.font && look.font !== ''
  }

  /** A short text that a bookmark of its page names, or that is printed as this document prints its headings only. */
  #isMissedHeading(block: PageBlock, page: PageResult, look: MeasuredLook): boolean {
    if ((block.kind !== 'text' && block.kind !== 'list_item') || block.text.length > 200 || block.lines.length > 3) return false
    const key = titleKey(block.marker && !block.text.startsWith(block.marker) ? `${block.marker} ${block.text}` : block.text)
    if (this.#outline.exactLevel(key, page.index) !== undefined) return true
    return (
      block.kind === 'text' && !look.rough && !/[.,;:!?。，；]$/.test(block.text.trim()) && this.#headingLooks.has(lookName(look)) && !this.#isBody(look, block)
    )
  }
}

const lookName = (look: MeasuredLook) => `${look.sizePt.toFixed(1)} ${look.bold} ${look.italic} ${look.capitals} ${look.font}`

const sameLook = (look: MeasuredLook, block: PageBlock): boolean =>
  block.look !== undefined && Math.abs(look.sizePt - block.look.sizePt) <= block.look.sizePt * (look.rough ? 0.12 : 0.03) && look.bold === block.look.bold

function pageFacts(page: PageResult): DocumentPage {
  const { index, label, width, height, angle, textSource, status, failure, flags, lostWords, usage } = page
  return {
    index,
    ...(label === undefined ? {} : { label }),
    width,
    height,
    angle,
    textSource,
    status,
    ...(failure ? { failure } : {}),
    flags,
    lostWords,
    ...(usage && { usage }),
  }
}
