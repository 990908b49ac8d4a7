import { overlapX, unionAll } from '../../../geometry/box.ts'
import type { PointBox } from '../../../schema/text-layer.ts'
import { listMarker } from '../../../text/list-marker.ts'
import { wordsAtom } from '../atoms/atoms-from-words.ts'
import type { DraftBlock } from '../draft-block.ts'
import { type Frame, framedPiece } from '../frame.ts'
import { isPageNumber } from '../kinds/furniture.ts'
import type { PageContext } from '../kinds/page-context.ts'
import { groupLines } from '../lines/group-lines.ts'
import { stackLines } from '../lines/stack-lines.ts'
import { byTop, type Piece } from '../order/piece.ts'
import type { Atom, PageGeometry } from '../page-geometry.ts'
import { textDraft } from '../part-blocks.ts'
import { outside, type TagGroup, type TagGroups } from './tag-groups.ts'
import type { TagTrust } from './trust-tags.ts'
import { wordsOf } from './trust-tags.ts'

/**
 * Blocks as the tags of the page make them. What the tags do not know (running heads, untagged words, tables and
 * figures) stays as geometry found it and stands after the block that geometry puts before it.
 *
 * @param drafts blocks of the geometry, in its order.
 */
export function layoutByTags(drafts: readonly DraftBlock[], tags: TagGroups, trust: TagTrust, frame: Frame, context: PageContext): DraftBlock[] {
  const places = new Map<number, number>()
  const columns: DraftBlock['column'][] = []
  const rest: { draft: DraftBlock; place: number }[] = []
  const atomsOfGroup = new Map<number, { atom: Atom; column: number }[]>()
  let place = 0
  for (const draft of drafts) {
    const column = columns.indexOf(draft.column) >= 0 ? columns.indexOf(draft.column) : columns.push(draft.column) - 1
    const left = takeTagged(draft, tags, context.page, (group, atom) => {
      if (!places.has(group)) places.set(group, place)
      const own = atomsOfGroup.get(group)
      if (own) own.push({ atom, column })
      else atomsOfGroup.set(group, [{ atom, column }])
    })
    place++
    if (left) rest.push({ draft: asArtifact(left, tags, context), place: place - 0.5 })
  }
  const tagged = [...atomsOfGroup].flatMap(([group, atoms]) => {
    const described = tags.groups[group]
    return described ? [{ order: described.order, place: places.get(group) ?? 0, blocks: groupBlocks(described, atoms, columns, frame, context) }] : []
  })
  tagged.sort((a, b) => (trust.order ? a.order - b.order : a.place - b.place))
  return withRest(tagged, rest)
}

/** Single rows at the very top or foot that a tagged page leaves out of its tree are its running head and foot. */
function asArtifact(draft: DraftBlock, tags: TagGroups, context: PageContext): DraftBlock {
  if (draft.kind !== 'text' || draft.lines.length !== 1 || !wordsOf(draft).every((w) => tags.ofWord[w] === outside)) return draft
  if (draft.box[3] < 0.12 * context.height) draft.kind = isPageNumber(draft) ? 'page_number' : 'page_header'
  else if (draft.box[1] > 0.88 * context.height && !listMarker(draft.lines[0]?.text ?? '')) draft.kind = isPageNumber(draft) ? 'page_number' : 'page_footer'
  return draft
}

/** Hands the tagged words of a draft to their groups; returns what is left of it. */
function takeTagged(draft: DraftBlock, tags: TagGroups, page: PageGeometry, take: (group: number, atom: Atom) => void): DraftBlock | undefined {
  if (draft.lines.length === 0 || draft.angle) return draft
  if (!wordsOf(draft).some((w) => (tags.ofWord[w] ?? -1) >= 0)) return draft
  const lines = draft.lines.map((line) => {
    const kept: Piece[] = []
    let current = outside
    for (const [i, atom] of line.atoms.entries()) {
      for (const [own, part] of byGroup(atom, tags, page)) {
        const group = own === outside && !/[\p{L}\p{N}]/u.test(part.text) ? current : own
        current = group
        if (group >= 0) take(group, part)
        else kept.push({ box: line.places[i] ?? part.box, baseline: line.baseline, em: line.em, rank: -1, atom: part })
      }
    }
    return kept
  })
  const left = lines.flatMap((kept) => (kept.length > 0 ? groupLines(kept.sort(byTop), page) : []))
  return left.length > 0 ? { ...draft, lines: left, box: unionAll(left.map((l) => l.box)) } : undefined
}

/** An atom cut where its words change from one group to another. */
function byGroup(atom: Atom, tags: TagGroups, page: PageGeometry): [group: number, atom: Atom][] {
  if (!atom.words) return [[-1, atom]]
  const parts: [number, number[]][] = []
  for (const word of atom.words) {
    const last = parts.at(-1)
    // Leaders and other signs between tagged words go with them.
    const isSign = last !== undefined && !/[\p{L}\p{N}]/u.test(page.words[word]?.text ?? '')
    const group = isSign && tags.ofWord[word] === outside ? last[0] : (tags.ofWord[word] ?? outside)
    if (last?.[0] === group) last[1].push(word)
    else parts.push([group, [word]])
  }
  if (parts.length === 1) return [[parts[0]?.[0] ?? -1, atom]]
  return parts.map(([group, words]) => [group, wordsAtom(page, words)])
}

/** One block for each column that the element runs through. */
function groupBlocks(
  group: TagGroup,
  atoms: readonly { atom: Atom; column: number }[],
  columns: readonly DraftBlock['column'][],
  frame: Frame,
  context: PageContext,
): DraftBlock[] {
  const byColumn = new Map<number, Atom[]>()
  for (const { atom, column } of atoms) {
    const own = byColumn.get(column)
    if (own) own.push(atom)
    else byColumn.set(column, [atom])
  }
  return [...byColumn].map(([column, own]) => {
    const pieces = own.map((atom, i) => framedPiece(atom, frame, i)).sort(byTop)
    const lines = stackLines(groupLines(pieces, context.page), context.page)
    const draft = textDraft(lines, columns[column] ?? unionAll(lines.map((l) => l.box)))
    return Object.assign(draft, {
      kind: group.kind === 'figure' ? 'text' : group.kind,
      ...(group.level === undefined ? {} : { level: group.level }),
      ...(group.depth === undefined ? {} : { depth: group.depth }),
      ...(group.marker === undefined ? {} : { marker: group.marker }),
    })
  })
}

/**
 * Puts what the tags do not know behind the tagged block that comes before it on the page; what stands above or below
 * everything tagged comes first or last.
 */
function withRest(tagged: readonly { place: number; blocks: readonly DraftBlock[] }[], rest: readonly { draft: DraftBlock; place: number }[]): DraftBlock[] {
  const blocks = tagged.flatMap((t) => t.blocks)
  const top = Math.min(...blocks.map((b) => b.box[1]))
  const isBelowAll = (box: PointBox) =>
    box[1] > 0.6 * (Math.max(...blocks.map((b) => b.box[3])) || 0) && blocks.every((b) => b.box[3] <= box[1] + 1 || overlapX(b.box, box) <= 0)
  const first: DraftBlock[] = []
  const last: DraftBlock[] = []
  const after = new Map<number, DraftBlock[]>()
  for (const { draft, place } of rest) {
    const behind = nearestBefore(tagged, place)
    if (draft.box[3] <= top + 1 || behind < 0) first.push(draft)
    else if (isBelowAll(draft.box)) last.push(draft)
    else after.set(behind, [...(after.get(behind) ?? []), draft])
  }
  return [...first, ...tagged.flatMap((t, i) => [...t.blocks, ...(after.get(i) ?? [])]), ...last]
}

function nearestBefore(tagged: readonly { place: number }[], place: number): number {
  let best = -1
  for (const [i, t] of tagged.entries()) if (t.place < place && (best < 0 || t.place >= (tagged[best]?.place ?? 0))) best = i
  return best
}
