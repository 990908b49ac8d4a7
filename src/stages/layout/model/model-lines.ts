import { area, centerX, centerY, contains, coverage, height } from '../../../geometry/box.ts'
import type { FoundBlock } from '../../../runtime/vlm/page-reader.ts'
import type { BlockKind } from '../../../schema/block-kind.ts'
import type { Box } from '../../../schema/geometry.ts'
import type { LayoutBlock, LayoutLine } from '../../../schema/page.ts'

/** The flag of writing that a reader of the page cannot see. */
export const hidden = 'hidden-text'

export interface SharedLines {
  /** Lines of words that stand in each of the model's blocks, in reading order. */
  readonly lines: readonly (readonly LayoutLine[])[]
  /** For each of them, whether its words are those of the layer: both agree on where they stand. */
  readonly byLayer: readonly boolean[]
  /** Blocks of the text layer that none of them says: lines that stand in none, writing that nobody sees, values of fields that the model does not read. */
  readonly left: readonly LayoutBlock[]
}

/** Kinds whose words say all that there is to say. */
const plainKinds: ReadonlySet<BlockKind> = new Set([
  ...(['heading', 'text', 'list_item', 'caption', 'footnote', 'reference', 'index_entry', 'page_header', 'page_footer', 'page_number', 'aside'] as const),
])

/**
 * Shares the lines of a text layer out among the blocks that a model found: each goes to the smallest block that holds its middle. `layer` are the
 * blocks of the same page by geometry. Hidden writing is never shared: it would be read as if it were printed.
 */
export function shareLines(layer: readonly LayoutBlock[], found: readonly FoundBlock[]): SharedLines {
  const lines: LayoutLine[][] = found.map(() => [])
  const bySize = found.map((block, index) => ({ block, index })).sort((a, b) => area(a.block.box) - area(b.block.box))
  const homeOf = (box: Box) => bySize.find(({ block }) => contains(block.box, centerX(box), centerY(box)))?.index
  const isApart = (block: LayoutBlock) => block.flags.includes(hidden) || block.content !== undefined
  const left = layer.filter((block) => !isApart(block)).flatMap((block) => strayOf(block, lines, homeOf))
  const byLayer = found.map((block, index) => plainKinds.has(block.kind) && layerAgrees(lines[index] ?? [], block))
  for (const block of layer.filter(isApart)) {
    const home = block.flags.includes(hidden) ? undefined : homeOf(block.box)
    if (home === undefined || byLayer[home]) left.push(block)
    else lines[home]?.push(...linesOf(block))
  }
  return { lines, byLayer, left }
}

/** What is left of a block when its lines have gone to those that hold them. */
function strayOf(block: LayoutBlock, lines: readonly LayoutLine[][], homeOf: (box: Box) => number | undefined): LayoutBlock[] {
  const stray: LayoutLine[] = []
  for (const line of linesOf(block)) {
    const home = homeOf(line.box)
    if (home === undefined) stray.push(line)
    else lines[home]?.push(line)
  }
  if (stray.length === 0) return []
  const { table, ...rest } = block
  return [{ ...rest, kind: table ? 'text' : block.kind, lines: stray }]
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
function layerAgrees(lines: readonly LayoutLine[], { box, angle }: Pick<FoundBlock, 'box' | 'angle'>): boolean {
  if (lines.length === 0 || angle !== 0) return false
  if (lines.some((line) => coverage(line.box, box) < mostlyInside)) return false
  let [covered, reached] = [0, box[1]]
  for (const line of [...lines].sort((a, b) => a.box[1] - b.box[1])) {
    covered += Math.max(0, line.box[3] - Math.max(reached, line.box[1]))
    reached = Math.max(reached, line.box[3])
  }
  return covered >= filled * height(box)
}
