import { overlapX } from '../../../geometry/box.ts'
import type { PointBox } from '../../../schema/text-layer.ts'
import type { DraftBlock } from '../draft-block.ts'
import type { PageGeometry } from '../page-geometry.ts'
import { inCell, outside, type TagGroups } from './tag-groups.ts'

/** What the tags of a page may decide. */
export interface TagTrust {
  /** Which words make a block, and of what kind it is. */
  readonly blocks: boolean
  /** The order of the blocks. */
  readonly order: boolean
}

const none: TagTrust = { blocks: false, order: false }

/** Share of the words in columns that must be tagged. */
const minTagged = 0.85
/** A block of the geometry may be made of this many tagged blocks on average, and the other way round. */
const maxPieces = 1.5
const maxMerged = 2.5
/** Share of steps that may lead back up the same column. */
const maxBackward = 0.1

/**
 * Tags are taken at their word when they cover the page, divide it roughly as its look does, and do not run up and
 * down the columns. Producers that tag every line, or a whole page as one paragraph, are not believed.
 *
 * @param drafts the blocks that geometry makes of the same words, furniture left out.
 */
export function trustTags(tags: TagGroups, drafts: readonly DraftBlock[], page: PageGeometry): TagTrust {
  if (tags.groups.length === 0) return none
  const counts = { tagged: 0, all: 0, pairs: 0, drafts: 0 }
  const groups = new Set<number>()
  for (const draft of drafts) {
    const own = groupsIn(draft, tags, page, counts)
    if (own.size === 0) continue
    counts.drafts++
    counts.pairs += own.size
    for (const group of own) groups.add(group)
  }
  if (counts.all < 3 || counts.tagged < minTagged * counts.all) return none
  // A pair is a draft and a group that share words: many pairs to a draft are lines tagged one by one, many to a group a page in one.
  if (counts.pairs > maxPieces * counts.drafts || counts.pairs > maxMerged * groups.size) return none
  return { blocks: true, order: isPlausible(tags, page) }
}

/** The groups that a draft's words belong to; counts words with letters or digits, furniture and cells apart. */
function groupsIn(draft: DraftBlock, tags: TagGroups, page: PageGeometry, counts: { tagged: number; all: number }): Set<number> {
  const own = new Set<number>()
  const isFurniture = draft.kind === 'page_header' || draft.kind === 'page_footer' || draft.kind === 'page_number'
  for (const line of draft.lines) {
    for (const atom of line.atoms) {
      for (const word of atom.words ?? []) {
        const group = tags.ofWord[word] ?? outside
        if (group >= 0) own.add(group)
        if (isFurniture || group === inCell || !/[\p{L}\p{N}]/u.test(page.words[word]?.text ?? '')) continue
        counts.all++
        if (group >= 0) counts.tagged++
      }
    }
  }
  return own
}

export const wordsOf = (draft: DraftBlock): number[] => draft.lines.flatMap((l) => l.atoms.flatMap((a) => a.words ?? []))

/** Following the elements in order seldom leads back up in the same column. */
function isPlausible(tags: TagGroups, page: PageGeometry): boolean {
  const firsts = new Map<number, number>()
  for (const [word, group] of tags.ofWord.entries()) if (group >= 0 && !firsts.has(group)) firsts.set(group, word)
  const inOrder = [...firsts]
    .sort((a, b) => (tags.groups[a[0]]?.order ?? 0) - (tags.groups[b[0]]?.order ?? 0))
    .filter(([group]) => tags.groups[group]?.kind !== 'footnote')
  let backward = 0
  for (let i = 1; i < inOrder.length; i++) {
    const before = page.words[inOrder[i - 1]?.[1] ?? -1]?.box
    const box = page.words[inOrder[i]?.[1] ?? -1]?.box
    if (before && box && goesBack(before, box)) backward++
  }
  return backward <= Math.max(0, maxBackward * inOrder.length)
}

/** Up the same column, or across to the left without going down: no left-to-right page is read like that. */
function goesBack(before: PointBox, box: PointBox): boolean {
  if (before[1] - box[3] > 4 && (overlapX(before, box) > 0 || Math.abs(before[0] - box[0]) < 20)) return true
  return box[2] <= before[0] && box[1] < before[3] - 1
}
