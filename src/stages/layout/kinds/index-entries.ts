import { type DraftBlock, draftText } from '../draft-block.ts'
import { endsInPages } from '../lines/entry-list.ts'
import { endsInPageNumber, isIndexLine } from '../lines/index-line.ts'

/** Fewer lines that end in numbers are no index. */
const fewestEntries = 5

/** Entries of a table of contents: leaders to a page number, or page numbers in a column of their own at the right. */
export function markIndexEntries(blocks: readonly DraftBlock[]): void {
  markSubjectIndex(blocks)
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

/** Entries of a subject index, which end in their pages without a leader, and the headwords between them. */
function markSubjectIndex(blocks: readonly DraftBlock[]): void {
  const columns = new Map<DraftBlock['column'], DraftBlock[]>()
  for (const block of blocks) {
    if ((block.kind !== 'text' && block.kind !== 'list_item') || block.lines.length > 2) continue
    const own = columns.get(block.column)
    if (own) own.push(block)
    else columns.set(block.column, [block])
  }
  for (const column of columns.values()) {
    const entries = column.filter((block) => endsInPages(draftText(block)))
    if (entries.length < fewestEntries || entries.length * 2 < column.length) continue
    const largest = Math.max(...entries.map((block) => block.lines[0]?.em ?? 0))
    for (const block of column) {
      if (draftText(block).length > 90 || (block.lines[0]?.em ?? 0) > 1.1 * largest) continue
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
