import { overlap } from '../../../geometry/box.ts'
import type { DraftBlock } from '../draft-block.ts'
import type { PageContext } from './page-context.ts'

/**
 * Side notes: a narrow column beside the text, outside everything that the text of the page spans. Line numbers in the
 * margin are such a column as well.
 */
export function markAsides(blocks: readonly DraftBlock[], context: PageContext): void {
  const chars = new Map<DraftBlock['column'], number>()
  for (const { column, lines } of blocks) chars.set(column, (chars.get(column) ?? 0) + lines.reduce((sum, l) => sum + l.chars, 0))
  const most = Math.max(0, ...chars.values())
  if (most < 200) return
  const main = [...chars].filter(([, count]) => count > 0.3 * most).map(([column]) => column)
  for (const block of blocks) {
    const { column } = block
    if (main.includes(column) || (block.kind !== 'text' && block.kind !== 'heading' && block.kind !== 'footnote' && block.kind !== 'list_item')) continue
    if (main.some((m) => isBeside(column, m)) && isOutside(column, main) && isOuter(column, context)) block.kind = 'aside'
  }
}

/** Narrow, and next to the column for most of its height. */
function isBeside(column: DraftBlock['column'], main: DraftBlock['column']): boolean {
  if (column[2] - column[0] > 0.45 * (main[2] - main[0])) return false
  return overlap(column[1], column[3], main[1], main[3]) > 0.6 * (column[3] - column[1])
}

const isOutside = (column: DraftBlock['column'], main: readonly DraftBlock['column'][]): boolean =>
  main.every((m) => column[2] <= m[0] + 2) || main.every((m) => column[0] >= m[2] - 2)

/** In the outer quarter of the page. */
const isOuter = (column: DraftBlock['column'], context: PageContext): boolean => column[2] < 0.28 * context.width || column[0] > 0.72 * context.width
