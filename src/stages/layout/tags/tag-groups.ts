import type { BlockKind } from '../../../schema/block-kind.ts'
import type { Tag, Word } from '../../../schema/text-layer.ts'

/** A block-level element of the structure tree that holds words of the page. */
export interface TagGroup {
  /** Index of its element: reading order according to the document. */
  readonly order: number
  readonly kind: BlockKind
  readonly level?: number
  /** Nesting of the list, 0 = outermost. */
  readonly depth?: number
  /** Text of the Lbl element. */
  readonly marker?: string
}

export const outside = -1
/** Cells are laid out by their table, or by geometry where no table was found. */
export const inCell = -2

/** The structure tree as it bears on the words of one page. */
export interface TagGroups {
  readonly groups: readonly TagGroup[]
  /** Group of each word; `outside` for artifacts and what the producer forgot, `inCell` for words of table cells. */
  readonly ofWord: Int32Array
  /** Alternative texts of figures, in order. */
  readonly alts: readonly string[]
}

/** Elements within a line of text: the block around them decides. */
const inline = new Set(['Span', 'Link', 'Reference', 'Quote', 'Em', 'Strong', 'Sub', 'Annot', 'Form', 'Ruby', 'RB', 'RT', 'RP', 'Warichu', 'WT', 'WP', 'Lbl'])
/** Elements whose kind covers everything inside them. */
const covering: Readonly<Record<string, BlockKind>> = {
  Caption: 'caption',
  Note: 'footnote',
  FENote: 'footnote',
  TOCI: 'index_entry',
  BibEntry: 'reference',
  Aside: 'aside',
}
/** Bounds the climb through a tree that was made to be deep. */
const maxClimb = 64

/** Groups the words of a page by the block-level element that they belong to. Undefined when the page has no tags. */
export function tagGroups(tags: readonly Tag[], words: readonly Word[]): TagGroups | undefined {
  if (tags.length === 0) return undefined
  const tagOfMcid = new Map<number, number>()
  for (const [i, tag] of tags.entries()) for (const mcid of tag.mcids) tagOfMcid.set(mcid, i)
  const groups: TagGroup[] = []
  const indexOfTag = new Map<number, number>()
  const blockOfTag = new Map<number, number>()
  const ofWord = new Int32Array(words.length).fill(outside)
  const labels = new Map<number, string>()
  for (const [i, word] of words.entries()) {
    const tag = word.mcid === undefined ? undefined : tagOfMcid.get(word.mcid)
    if (tag === undefined) continue
    let block = blockOfTag.get(tag)
    if (block === undefined) {
      block = blockTag(tags, tag)
      blockOfTag.set(tag, block)
    }
    if (block < 0 || tags[block]?.role === 'Artifact') continue
    if (isCell(tags, block)) {
      ofWord[i] = inCell
      continue
    }
    let group = indexOfTag.get(block)
    if (group === undefined) {
      group = groups.length
      indexOfTag.set(block, group)
      groups.push(describe(tags, block))
    }
    ofWord[i] = group
    if (isLabel(tags, tag, block)) labels.set(group, `${labels.get(group) ?? ''}${word.text}`)
  }
  const alts = tags.flatMap((t) => (t.role === 'Figure' ? [t.alt ?? ''] : []))
  return { groups: groups.map((g, i) => (g.kind === 'list_item' && labels.has(i) ? { ...g, marker: labels.get(i) ?? '' } : g)), ofWord, alts }
}

/** The element that makes the block: the nearest that is not inline, unless one further out covers all of its inside. */
function blockTag(tags: readonly Tag[], from: number): number {
  let at = from
  let block = -1
  for (let step = 0; at >= 0 && step < maxClimb; step++) {
    const tag = tags[at]
    if (!tag) break
    if (covering[tag.role] && (tag.role !== 'Caption' || hasSubject(tags, at))) return at
    // A formula or code within a paragraph is part of its line; one that stands by itself is set apart.
    const isInline = inline.has(tag.role) || ((tag.role === 'Formula' || tag.role === 'Code') && isWithinText(tags, tag.parent))
    if (block < 0 && !isInline) block = at
    // The body of an item is the item's block, but a paragraph further down in it is one of its own.
    if (tag.role === 'LI' && block >= 0 && isFirstIn(tags, at, block)) block = at
    at = tag.parent
  }
  return block
}

/** A caption has something to be the caption of beside or around it; producers use the element for heads of theorems, too. */
function hasSubject(tags: readonly Tag[], caption: number): boolean {
  const parent = tags[caption]?.parent ?? -1
  if (/^(?:Figure|Table|Formula|Note|Code)$/.test(tags[parent]?.role ?? '')) return true
  return tags.some((tag) => tag.parent === parent && /^(?:Figure|Table|Formula|Code)$/.test(tag.role))
}

const isWithinText = (tags: readonly Tag[], parent: number): boolean => /^(?:P|Span|H\d?|LBody|Caption|TD|TH|Link|Note|Code)$/.test(tags[parent]?.role ?? '')

/** Whether the block is the item's own line: its label, or the first paragraph inside it. */
function isFirstIn(tags: readonly Tag[], item: number, block: number): boolean {
  if (block === item) return true
  for (let i = item + 1; i < tags.length && i <= item + maxClimb; i++) {
    const tag = tags[i]
    if (tag && (tag.role === 'P' || (tag.role === 'LBody' && tag.mcids.length > 0))) return i === block
  }
  return false
}

function isCell(tags: readonly Tag[], block: number): boolean {
  let at = block
  for (let step = 0; at >= 0 && step < maxClimb; step++) {
    const role = tags[at]?.role
    if (role === 'TD' || role === 'TH') return true
    at = tags[at]?.parent ?? -1
  }
  return false
}

const isLabel = (tags: readonly Tag[], tag: number, block: number): boolean => {
  let at = tag
  for (let step = 0; at >= 0 && at !== block && step < maxClimb; step++) {
    if (tags[at]?.role === 'Lbl') return true
    at = tags[at]?.parent ?? -1
  }
  return false
}

function describe(tags: readonly Tag[], block: number): TagGroup {
  const role = tags[block]?.role ?? ''
  const kind = kindOf(role)
  const level = /^H([1-6])$/.exec(role)?.[1]
  return {
    order: block,
    kind,
    ...(level ? { level: Number(level) } : role === 'Title' ? { level: 1 } : {}),
    ...(kind === 'list_item' ? { depth: listDepth(tags, block) } : {}),
  }
}

function kindOf(role: string): BlockKind {
  if (/^(?:H[1-6]?|Title)$/.test(role)) return 'heading'
  if (role === 'LI' || role === 'LBody') return 'list_item'
  if (role === 'Formula') return 'formula'
  if (role === 'Figure') return 'figure'
  if (role === 'Code') return 'code'
  return covering[role] ?? 'text'
}

/** How many lists stand around the item, less its own. */
function listDepth(tags: readonly Tag[], block: number): number {
  let lists = 0
  let at = block
  for (let step = 0; at >= 0 && step < maxClimb; step++) {
    if (tags[at]?.role === 'L') lists++
    at = tags[at]?.parent ?? -1
  }
  return Math.max(0, lists - 1)
}
