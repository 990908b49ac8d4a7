import { overlapX } from '../../../geometry/box.ts'
import { type CaptionLabel, captionLabel } from '../../../text/caption.ts'
import { type DraftBlock, draftText } from '../draft-block.ts'
import type { PageContext } from './page-context.ts'

/** A caption stands within so many lines of what it belongs to. */
const reachEm = 4

/**
 * Finds captions and ties them to their table or figure: text that opens with a label ("Figure 3"), and unlabelled
 * small or slanted text right under a picture.
 */
export function markCaptions(blocks: readonly DraftBlock[], context: PageContext): void {
  const targets = blocks.filter((b) => b.kind === 'table' || b.kind === 'figure' || b.kind === 'chart' || b.kind === 'code' || b.kind === 'algorithm')
  for (const block of blocks) {
    if (block.kind !== 'text' && block.kind !== 'heading' && block.kind !== 'list_item' && block.kind !== 'caption') continue
    const label = captionLabel(draftText(block))
    const target =
      label &&
      nearest(
        block,
        targets.filter((t) => isOfKind(t, label)),
        context,
      )
    if (label && isCaption(block, label, target, context)) {
      block.kind = 'caption'
      delete block.marker
      delete block.level
      const owner = target ?? nearest(block, targets, context)
      if (owner) block.parent = owner
    } else if (!label && block.kind === 'text') markUnlabelled(block, targets, context)
  }
}

function isOfKind(target: DraftBlock, label: CaptionLabel): boolean {
  if (label.of === 'table') return target.kind === 'table'
  if (label.of === 'code' || label.of === 'algorithm') return target.kind === 'code' || target.kind === 'algorithm'
  return target.kind === 'figure' || target.kind === 'chart'
}

function isCaption(block: DraftBlock, label: CaptionLabel, target: DraftBlock | undefined, context: PageContext): boolean {
  if (label.of === 'formula') return false
  if (label.unsure) return target !== undefined && looksApart(block, context)
  return target !== undefined || looksApart(block, context) || block.lines.length <= 3 || label.rest.length < 200
}

/** Smaller, slanted or with a bold beginning: not the look of the body. */
function looksApart(block: DraftBlock, context: PageContext): boolean {
  const first = block.lines[0]
  if (!first) return false
  return first.em < 0.96 * context.body.sizePt || first.italic > 0.6 || first.bold > 0.12
}

/** The nearest block above or below that shares its width; above and below count alike. */
function nearest(block: DraftBlock, targets: readonly DraftBlock[], context: PageContext): DraftBlock | undefined {
  let best: DraftBlock | undefined
  let closest = reachEm * context.body.sizePt
  for (const target of targets) {
    const shared = overlapX(block.box, target.box)
    const dy = Math.max(target.box[1] - block.box[3], block.box[1] - target.box[3])
    // A caption may also stand beside its figure.
    const dx = Math.max(target.box[0] - block.box[2], block.box[0] - target.box[2])
    const distance = shared > 0 ? Math.max(0, dy) : dy < 0 ? dx : Infinity
    if (distance < closest) {
      closest = distance
      best = target
    }
  }
  return best
}

function markUnlabelled(block: DraftBlock, targets: readonly DraftBlock[], context: PageContext): void {
  const first = block.lines[0]
  if (!first || block.lines.length > 4) return
  const isSmall = first.em < 0.93 * context.body.sizePt || first.italic > 0.8
  if (!isSmall) return
  const picture = targets.find((t) => {
    if (t.kind !== 'figure' && t.kind !== 'chart') return false
    const under = block.box[1] - t.box[3]
    return under > -2 && under < 1.6 * first.em && block.box[0] > t.box[0] - 2 * first.em && block.box[2] < t.box[2] + 2 * first.em
  })
  if (!picture) return
  block.kind = 'caption'
  block.parent = picture
}
