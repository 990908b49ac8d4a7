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
  const texts = drafts.filter((d) => d.lines.length > 0)
  const [tagged, all] = countTagged(tags, texts, page)
  if (all < 3 || tagged < minTagged * all || tags.groups.length === 0) return none
  const groupsOfDraft = texts.map((d) => new Set(wordsOf(d).flatMap((w) => ((tags.ofWord[w] ?? -1) >= 0 ? [tags.ofWord[w]] : []))).size).filter((n) => n > 0)
  const draftsOfGroup = new Map<number, Set<number>>()
  for (const [i, draft] of texts.entries()) {
    for (const word of wordsOf(draft)) {
      const group = tags.ofWord[word] ?? -1
      if (group < 0) continue
      const own = draftsOfGroup.get(group)
      if (own) own.add(i)
      else draftsOfGroup.set(group, new Set([i]))
    }
  }
  const pieces = mean(groupsOfDraft)
  const merged = mean([...draftsOfGroup.values()].map((d) => d.size))
  if (pieces > maxPieces || merged > maxMerged) return none
  return { blocks: true, order: isPlausible(tags, page) }
}

export const wordsOf = (draft: DraftBlock): number[] => draft.lines.flatMap((l) => l.atoms.flatMap((a) => a.words ?? []))

/** Words with letters or digits only: leaders and rules of signs are rightly left out of the tree. */
function countTagged(tags: TagGroups, drafts: readonly DraftBlock[], page: PageGeometry): [tagged: number, all: number] {
  let [tagged, all] = [0, 0]
  for (const draft of drafts) {
    if (draft.kind === 'page_header' || draft.kind === 'page_footer' || draft.kind === 'page_number') continue
    for (const word of wordsOf(draft)) {
      const group = tags.ofWord[word] ?? outside
      if (group === inCell || !/[\p{L}\p{N}]/u.test(page.words[word]?.text ?? '')) continue
      all++
      if (group >= 0) tagged++
    }
  }
  return [tagged, all]
}

const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length)

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
