import type { MeasuredLook } from './block-look.ts'
import { type HeadingRecord, type Numbering, setsLook } from './heading-class.ts'
import { SizeClusters } from './size-clusters.ts'

/** Headings of one class share a level: all numbered alike, or all without number in one look. */
interface HeadingClass {
  readonly name: string
  readonly numbering: Numbering | undefined
  sizeRank: number
  look: MeasuredLook
  readonly votes: Map<number, number>
}

export const deepestLevel = 6

/**
 * Levels for the headings of a whole document. Signals, strongest first: tags where the document has them
 * and they say something, bookmarks, the depth of printed numbers, and type: larger before smaller, bold
 * before light, capitals before mixed case, upright before italic. A document's title is level 1 alone.
 */
export class HeadingLevels {
  readonly #sizes: SizeClusters
  readonly #isSubtitle: (record: HeadingRecord) => boolean
  readonly #tagShift: number | undefined
  readonly #outlineShift: number
  readonly #base: number
  readonly #numberedLooks: ReadonlyMap<string, Numbering>
  readonly #sections: Numbering | undefined
  readonly #levels: ReadonlyMap<string, number>

  constructor(records: readonly HeadingRecord[]) {
    const looks = new Map<string, number>()
    for (const { look } of records) looks.set(exactLook(look), (looks.get(exactLook(look)) ?? 0) + 1)
    // A subtitle or the authors: right below the title, in a look of their own. They take no rung of the ladder.
    this.#isSubtitle = (r) => r.followsTitle && !r.numbering && !r.isSection && r.outlineLevel === undefined && (looks.get(exactLook(r.look)) ?? 0) <= 1
    const others = records.filter((r) => !r.isTitle && !this.#isSubtitle(r))
    this.#base = records.some((r) => r.isTitle) ? 2 : 1
    this.#sizes = new SizeClusters(
      others.map((r) => r.look.sizePt),
      others.filter((r) => r.look.rough).length > others.length / 2,
    )
    this.#tagShift = this.#shiftOf(usableTags(others, this.#sizes) ? others.map((r) => r.tagLevel) : [])
    const titleInOutline = records.some((r) => r.isTitle && r.outlineLevel === 1)
    this.#outlineShift = (titleInOutline ? undefined : this.#shiftOf(others.map((r) => r.outlineLevel))) ?? 0
    this.#numberedLooks = looksOfNumbers(others, (look) => this.#lookName(look))
    this.#sections = others.find((r) => r.numbering?.name === 'number 1' || r.numbering?.name === 'roman')?.numbering
    this.#levels = this.#levelClasses(others)
  }

  /** 1..6. */
  level(record: HeadingRecord): number {
    if (record.isTitle) return 1
    if (this.#isSubtitle(record)) return this.#base
    return clamp(this.#said(record) ?? this.#levels.get(this.#classOf(record).name) ?? this.#base, this.#base)
  }

  /** The level that tags or bookmarks give, in our counting. */
  #said(record: HeadingRecord): number | undefined {
    if (this.#tagShift !== undefined && record.tagLevel !== undefined) return record.tagLevel + this.#tagShift
    return record.outlineLevel === undefined ? undefined : record.outlineLevel + this.#outlineShift
  }

  /** Levels stay as the author gave them, but none may lie above the level below the title. */
  #shiftOf(levels: readonly (number | undefined)[]): number | undefined {
    let outermost = Number.POSITIVE_INFINITY
    for (const level of levels) if (level !== undefined && level < outermost) outermost = level
    return outermost === Number.POSITIVE_INFINITY ? undefined : Math.max(0, this.#base - outermost)
  }

  #lookName(look: MeasuredLook): string {
    return `${this.#sizes.rank(look.sizePt)}${look.bold ? ' bold' : ''}${look.capitals ? ' capitals' : ''}${look.italic ? ' italic' : ''}`
  }

  /** A heading without a number counts with the numbered ones that look the same: "References" stands beside "1 Introduction". */
  #classOf(record: HeadingRecord): { readonly name: string; readonly numbering: Numbering | undefined } {
    const look = this.#lookName(record.look)
    const numbering = record.numbering ?? (record.isSection ? this.#sections : undefined) ?? this.#numberedLooks.get(look)
    return { name: numbering?.name ?? look, numbering }
  }

  #levelClasses(records: readonly HeadingRecord[]): ReadonlyMap<string, number> {
    const classes = new Map<string, HeadingClass>()
    for (const record of records) {
      const { name, numbering } = this.#classOf(record)
      const group = classes.get(name)
      if (group) this.#join(group, record)
      else classes.set(name, { name, numbering, sizeRank: this.#sizes.rank(record.look.sizePt), look: record.look, votes: this.#vote(new Map(), record) })
    }
    const levels = new Map<string, number>()
    let level = this.#base - 1
    let before: HeadingClass | undefined
    for (const current of inOrder([...classes.values()])) {
      const voted = strongVote(current)
      if (voted !== undefined) level = voted
      else if (!before || !sameRank(before, current)) level++
      level = clamp(level, this.#base)
      levels.set(current.name, level)
      before = current
    }
    return levels
  }

  /** The largest member decides the look: one small printing must not sink a class. */
  #join(group: HeadingClass, record: HeadingRecord): void {
    this.#vote(group.votes, record)
    const rank = this.#sizes.rank(record.look.sizePt)
    if (rank >= group.sizeRank || record.isSection) return
    group.sizeRank = rank
    group.look = record.look
  }

  #vote(votes: Map<number, number>, record: HeadingRecord): Map<number, number> {
    const said = this.#said(record)
    if (said !== undefined) votes.set(said, (votes.get(said) ?? 0) + 1)
    return votes
  }
}

const exactLook = (look: MeasuredLook): string => `${look.sizePt.toFixed(1)} ${look.bold} ${look.italic} ${look.capitals}`

const clamp = (level: number, base: number) => Math.min(deepestLevel, Math.max(base, level))

/** Tags help when most headings have one and they do not call everything the same while the type tells levels apart. */
function usableTags(records: readonly HeadingRecord[], sizes: SizeClusters): boolean {
  const tagged = records.filter((r) => r.tagLevel !== undefined)
  if (tagged.length === 0 || tagged.length < records.length * 0.6) return false
  const levels = new Set(tagged.map((r) => r.tagLevel))
  return levels.size > 1 || new Set(tagged.map((r) => sizes.rank(r.look.sizePt))).size === 1
}

/** For each look the outermost numbering that is mostly printed in it. */
function looksOfNumbers(records: readonly HeadingRecord[], lookName: (look: MeasuredLook) => string): ReadonlyMap<string, Numbering> {
  const counts = new Map<string, { readonly numbering: Numbering; readonly looks: Map<string, number> }>()
  for (const { numbering, look } of records) {
    if (!setsLook(numbering)) continue
    const entry = counts.get(numbering.name) ?? { numbering, looks: new Map<string, number>() }
    counts.set(numbering.name, entry)
    entry.looks.set(lookName(look), (entry.looks.get(lookName(look)) ?? 0) + 1)
  }
  const found = new Map<string, Numbering>()
  for (const { numbering, looks } of [...counts.values()].sort((a, b) => a.numbering.depth - b.numbering.depth)) {
    const look = most(looks)
    if (look !== undefined && !found.has(look)) found.set(look, numbering)
  }
  return found
}

/** By type; within a chain of numbers a deeper one never before a shallower one. */
function inOrder(classes: HeadingClass[]): HeadingClass[] {
  const sorted = classes.sort(
    (a, b) =>
      a.sizeRank - b.sizeRank ||
      Number(b.look.bold) - Number(a.look.bold) ||
      Number(b.look.capitals) - Number(a.look.capitals) ||
      Number(a.look.italic) - Number(b.look.italic) ||
      (a.numbering?.depth ?? 0) - (b.numbering?.depth ?? 0),
  )
  const chains = new Map<string, HeadingClass[]>()
  for (const group of sorted) if (group.numbering) chains.set(group.numbering.chain, [...(chains.get(group.numbering.chain) ?? []), group])
  for (const chain of chains.values()) chain.sort((a, b) => (a.numbering?.depth ?? 0) - (b.numbering?.depth ?? 0))
  return sorted.map((group) => (group.numbering ? (chains.get(group.numbering.chain)?.shift() ?? group) : group))
}

function sameRank(a: HeadingClass, b: HeadingClass): boolean {
  if (a.numbering && b.numbering && a.numbering.chain === b.numbering.chain) return false
  return a.sizeRank === b.sizeRank && a.look.bold === b.look.bold && a.look.capitals === b.look.capitals && a.look.italic === b.look.italic
}

/** The level that tags or bookmarks give to two thirds of those members that they name. */
function strongVote(group: HeadingClass): number | undefined {
  let total = 0
  for (const n of group.votes.values()) total += n
  const level = most(group.votes)
  return level !== undefined && (group.votes.get(level) ?? 0) >= (total * 2) / 3 ? level : undefined
}

function most<T>(counts: ReadonlyMap<T, number>): T | undefined {
  let best: T | undefined
  let top = 0
  for (const [value, count] of counts) {
    if (count > top) {
      best = value
      top = count
    }
  }
  return best
}
