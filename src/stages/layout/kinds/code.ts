import { union } from '../../../geometry/box.ts'
import { captionLabel } from '../../../text/caption.ts'
import { type DraftBlock, draftText, firstText } from '../draft-block.ts'
import type { PageContext } from './page-context.ts'

/** Monospaced blocks are code unless the whole page is typed like that. */
export function isCode(block: DraftBlock, context: PageContext): boolean {
  if (context.body.monospace || block.lines.length === 0) return false
  const chars = block.lines.reduce((sum, l) => sum + l.chars, 0)
  if (chars < 8) return false
  const monospace = block.lines.reduce((sum, l) => sum + l.monospace * l.chars, 0)
  if (monospace < 0.85 * chars) return false
  // An address or a name set in typewriter type is one short line of no programming language.
  const text = draftText(block)
  return block.lines.length > 1 || /[{};=()[\]<>$#]/.test(text) || text.length > 40
}

/**
 * Joins code that blank lines or changes of indent have split. Returns the blocks that remain.
 */
export function joinCode(blocks: readonly DraftBlock[], context: PageContext): DraftBlock[] {
  const joined: DraftBlock[] = []
  for (const block of blocks) {
    const before = joined.at(-1)
    const isNext =
      before !== undefined &&
      before.column === block.column &&
      // A short line of code by itself looks like a word set in typewriter type: the code beside it decides.
      ((before.kind === 'code' && (block.kind === 'code' || isCodeLine(block))) || (block.kind === 'code' && isCodeLine(before))) &&
      block.box[1] - before.box[3] < 2.5 * context.body.sizePt &&
      Math.abs((block.lines[0]?.em ?? 0) - (before.lines.at(-1)?.em ?? 0)) < 0.6
    if (before && isNext) {
      before.kind = 'code'
      before.lines = [...before.lines, ...block.lines]
      before.box = union(before.box, block.box)
    } else joined.push(block)
  }
  return joined
}

/** A short monospaced rest of a listing, such as a closing bracket. */
const isCodeLine = (block: DraftBlock): boolean =>
  (block.kind === 'text' || block.kind === 'list_item') && block.lines.length > 0 && block.lines.every((l) => l.monospace > 0.9)

/** "Algorithm 1" above numbered or indented steps, between rules: pseudo-code. */
export function markAlgorithms(blocks: readonly DraftBlock[], context: PageContext): void {
  for (const [i, block] of blocks.entries()) {
    if (block.lines.length > 3 || captionLabel(firstText(block))?.of !== 'algorithm') continue
    const rules = context.page.rules.filter((r) => r.direction === 'horizontal' && r.to - r.from > 0.6 * (block.box[2] - block.box[0]))
    const end = Math.max(-1, ...rules.filter((r) => r.at > block.box[3] + 20 && r.at < block.box[3] + 0.7 * context.height).map((r) => r.at))
    const isRuled = rules.some((r) => Math.abs(r.at - block.box[1]) < 12)
    if (!isRuled || end < 0) continue
    const last = Math.min(...rules.filter((r) => r.at > block.box[3] + 20).map((r) => r.at))
    for (const step of blocks.slice(i + 1)) {
      if (step.column !== block.column || step.box[1] > last) break
      if (step.kind === 'text' || step.kind === 'list_item' || step.kind === 'code' || step.kind === 'formula') step.kind = 'algorithm'
    }
  }
}
