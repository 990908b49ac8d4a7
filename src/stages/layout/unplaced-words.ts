import type { LayoutBlock } from '../../schema/page.ts'
import type { GatedPage } from '../stage-values.ts'
import { sortWords } from '../visible-words.ts'

/** Words that break the rule of conservation: each word of the trusted layer stands in exactly one block or table cell. */
export interface Unplaced {
  readonly lost: readonly number[]
  readonly doubled: readonly number[]
}

/** Indices of words that are in no block, and of words that are in more than one place. Both empty for a sound layout. */
export function unplacedWords(page: GatedPage, blocks: readonly LayoutBlock[]): Unplaced {
  const times = new Uint16Array(page.textLayer.words.length)
  for (const block of blocks) {
    for (const line of block.lines) for (const word of line.words ?? []) times[word] = (times[word] ?? 0) + 1
    for (const cell of block.table?.cells ?? []) for (const line of cell.lines) for (const word of line.words ?? []) times[word] = (times[word] ?? 0) + 1
  }
  const { placed, hidden } = sortWords(page)
  const lost = [...placed, ...hidden].filter((word) => times[word] === 0).sort((a, b) => a - b)
  const doubled: number[] = []
  for (const [word, count] of times.entries()) if (count > 1) doubled.push(word)
  return { lost, doubled }
}
