import { area, centerX, centerY, contains, coverage, height } from '../../../geometry/box.ts'
import type { FoundBlock } from '../../../runtime/vlm/page-reader.ts'
import type { LayoutBlock, LayoutLine } from '../../../schema/page.ts'

export interface SharedLines {
  /** Lines of words that stand in each of the model's blocks, in reading order. */
  readonly lines: readonly (readonly LayoutLine[])[]
  /** Blocks of the text layer with lines that stand in none. */
  readonly left: readonly LayoutBlock[]
}

/**
 * Shares the lines of a text layer out among the blocks that a model found: each goes to the smallest block that holds its middle. `layer` are the
 * blocks of the same page by geometry.
 */
export function shareLines(layer: readonly LayoutBlock[], found: readonly FoundBlock[]): SharedLines {
  const lines: LayoutLine[][] = found.map(() => [])
  const bySize = found.map((block, index) => ({ block, index })).sort((a, b) => area(a.block.box) - area(b.block.box))
  const left = layer.flatMap((block) => {
    const stray: LayoutLine[] = []
    for (const line of linesOf(block)) {
      const home = bySize.find(({ block: { box } }) => contains(box, centerX(line.box), centerY(line.box)))
      if (home) lines[home.index]?.push(line)
      else stray.push(line)
    }
    if (stray.length === 0) return []
    const { table, ...rest } = block
    return [{ ...rest, kind: table ? ('text' as const) : block.kind, lines: stray }]
  })
  return { lines, left }
}

function* linesOf(block: LayoutBlock): Iterable<LayoutLine> {
  for (const line of block.lines) if (line.words) yield line
  for (const cell of block.table?.cells ?? []) for (const line of cell.lines) if (line.words) yield line
}

/** A line that lies in a block less than this is of something else, too. */
const mostlyInside = 0.8
/** Lines of a paragraph fill at least this of its height. */
const filled = 0.4

/** Whether the text layer and the model see the same writing in a block: its lines lie in it, and they fill it. */
export function layerAgrees(lines: readonly LayoutLine[], { box, angle }: Pick<FoundBlock, 'box' | 'angle'>): boolean {
  if (lines.length === 0 || angle !== 0) return false
  if (lines.some((line) => coverage(line.box, box) < mostlyInside)) return false
  let [covered, reached] = [0, box[1]]
  for (const line of [...lines].sort((a, b) => a.box[1] - b.box[1])) {
    covered += Math.max(0, line.box[3] - Math.max(reached, line.box[1]))
    reached = Math.max(reached, line.box[3])
  }
  return covered >= filled * height(box)
}
