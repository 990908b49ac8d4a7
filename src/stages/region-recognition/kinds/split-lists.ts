import { unionAll } from '../../../geometry/box.ts'
import { type ListMarker, listMarker } from '../../../text/list-marker.ts'
import type { ReadLine } from '../lines/read-line.ts'
import type { ReadBlock } from '../read-block.ts'

/**
 * Cuts a block at the lines that open list items. Two markers of one style are needed, numbers in their order:
 * a single "1." may be the end of a sentence that was broken there. The second may open the next block.
 */
export function splitLists(block: ReadBlock, after: ReadBlock | undefined): ReadBlock[] {
  if (block.lines.length < 2) return [block]
  const found = block.lines.map((line) => usableMarker(line))
  if (found.every((marker) => marker === undefined)) return [block]
  const next = after?.lines[0] && usableMarker(after.lines[0])
  const starts = new Set(runOf(next ? [...found, next] : found).filter((i) => i < block.lines.length))
  if (starts.size === 0 || (starts.size === 1 && starts.has(0))) return [block]
  const parts: ReadBlock[] = []
  let lines: ReadLine[] = []
  let marker: string | undefined
  const close = () => {
    if (lines.length > 0) parts.push(part(block, lines, marker))
    lines = []
  }
  for (const [i, line] of block.lines.entries()) {
    if (starts.has(i)) {
      close()
      marker = found[i]?.marker
    }
    lines.push(line)
  }
  close()
  return parts
}

/** A bullet that may be an ordinary word counts for none; a doubtful number is borne out by the next. */
const usableMarker = (line: ReadLine): ListMarker | undefined => {
  const found = listMarker(line.text)
  return found && found.rest !== '' && (found.ordinal !== undefined || !found.unsure) ? found : undefined
}

/** Indices of the lines whose markers belong to one list: those of the first style that counts on. */
function runOf(found: readonly (ListMarker | undefined)[]): number[] {
  for (const [first, marker] of found.entries()) {
    if (!marker) continue
    const run = [first]
    let ordinal = marker.ordinal
    for (let i = first + 1; i < found.length; i++) {
      const next = found[i]
      if (next?.style !== marker.style || (ordinal === undefined && next.marker !== marker.marker)) continue
      if (ordinal !== undefined && next.ordinal !== ordinal + 1) continue
      ordinal = next.ordinal
      run.push(i)
    }
    if (run.length > 1) return run
  }
  return []
}

function part(block: ReadBlock, lines: readonly ReadLine[], marker: string | undefined): ReadBlock {
  const layout = { ...block.layout, box: unionAll(lines.map((line) => line.box)) }
  const base = { ...block, layout, lines, flags: new Set(block.flags) }
  return marker === undefined ? { ...base, kind: 'text' } : { ...base, kind: 'list_item', marker }
}
