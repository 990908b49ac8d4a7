import type { LaidOutPage } from '../stage-values.ts'
import { sortWords } from '../visible-words.ts'

export interface Conservation {
  /** Words of the text layer that the page's verdict trusts and that are in no block. */
  readonly lost: number
  /** Words that are in two blocks, or twice in one. */
  readonly repeated: number
}

/**
 * Whether every trusted word, hidden ones included, stands in exactly one line of one block or cell. Compares
 * indices, not text: a few microseconds a page.
 */
export function checkConservation(page: LaidOutPage): Conservation {
  const uses = new Uint8Array(page.textLayer.words.length)
  for (const block of page.blocks) {
    for (const line of block.lines) count(uses, line.words)
    for (const cell of block.table?.cells ?? []) for (const line of cell.lines) count(uses, line.words)
  }
  const { placed, hidden } = sortWords(page)
  let [lost, repeated] = [0, 0]
  for (const index of placed) if (uses[index] === 0) lost++
  for (const index of hidden) if (uses[index] === 0) lost++
  for (const n of uses) if (n > 1) repeated++
  return { lost, repeated }
}

function count(uses: Uint8Array, words: readonly number[] | undefined): void {
  if (!words) return
  for (const index of words) {
    const n = uses[index]
    if (n !== undefined && n < 2) uses[index] = n + 1
  }
}
