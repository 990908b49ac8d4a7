import type { DraftBlock } from '../draft-block.ts'
import { endsInPageNumber, isIndexLine } from '../lines/index-line.ts'

/** Entries of a table of contents: leaders to a page number, or page numbers in a column of their own at the right. */
export function markIndexEntries(blocks: readonly DraftBlock[]): void {
  for (const block of blocks) {
    if (block.kind !== 'text' && block.kind !== 'list_item' && block.kind !== 'heading') continue
    const last = block.lines.at(-1)
    if (!last || block.lines.length > 3) continue
    if (isIndexLine(last) || (endsInPageNumber(last) && hasPeers(block, blocks))) {
      block.kind = 'index_entry'
      delete block.marker
      delete block.depth
    }
  }
}

function hasPeers(block: DraftBlock, blocks: readonly DraftBlock[]): boolean {
  const right = block.box[2]
  let peers = 0
  for (const other of blocks) {
    const last = other.lines.at(-1)
    if (other !== block && other.column === block.column && last && endsInPageNumber(last) && Math.abs(other.box[2] - right) < 3) peers++
  }
  return peers >= 3
}
