import type { DraftBlock } from '../draft-block.ts'
import type { PageContext } from './page-context.ts'

/**
 * Side notes: a narrow column of smaller type outside the text, that the text does not continue in. Line numbers
 * in the margin are such a column as well.
 */
export function markAsides(blocks: readonly DraftBlock[], context: PageContext): void {
  const widths = new Map<DraftBlock['column'], number>()
  for (const block of blocks) widths.set(block.column, (widths.get(block.column) ?? 0) + block.lines.reduce((sum, l) => sum + l.chars, 0))
  const main = [...widths].sort((a, b) => b[1] - a[1])[0]?.[0]
  if (!main) return
  const mainWidth = main[2] - main[0]
  for (const block of blocks) {
    const { column } = block
    if (column === main || (block.kind !== 'text' && block.kind !== 'heading' && block.kind !== 'footnote' && block.kind !== 'list_item')) continue
    if (isMarginColumn(column, main, mainWidth, context) && block.lines.every((l) => l.em < 0.97 * context.body.sizePt)) block.kind = 'aside'
  }
}

/** Narrow, beside the main column, not over or under it, and at the outer edge of the page. */
function isMarginColumn(column: DraftBlock['column'], main: DraftBlock['column'], mainWidth: number, context: PageContext): boolean {
  if (column[2] - column[0] > 0.4 * mainWidth) return false
  const beside = column[2] <= main[0] + 2 || column[0] >= main[2] - 2
  const shared = Math.min(column[3], main[3]) - Math.max(column[1], main[1])
  const atEdge = column[0] < 0.2 * context.width || column[2] > 0.8 * context.width
  return beside && atEdge && shared > 0.6 * (column[3] - column[1]) && mainWidth > 0.35 * context.width
}
