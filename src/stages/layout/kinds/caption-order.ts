import { centerY, overlapX, overlapY, union } from '../../../geometry/box.ts'
import { type BlockKind, furnitureKinds } from '../../../schema/block-kind.ts'
import type { PointBox } from '../../../schema/text-layer.ts'
import type { DraftBlock } from '../draft-block.ts'

/** Beside the text: between a figure and its caption they part nothing. */
const besides: ReadonlySet<BlockKind> = new Set([...furnitureKinds, 'footnote', 'aside', 'stamp', 'caption'])

const pictures: ReadonlySet<BlockKind> = new Set(['figure', 'chart', 'table'])

/**
 * Puts a caption next to its figure or table where the reading order has torn them apart: captions that stand level at
 * the foot of two columns look like a row of their own below both, and a float is placed where the text left room.
 *
 * @param blocks in reading order, with the parents of captions set. Returned anew; no block is added or lost.
 */
export function placeCaptions(blocks: readonly DraftBlock[]): DraftBlock[] {
  const placed = [...blocks]
  for (const caption of blocks) {
    const { parent } = caption
    if (caption.kind !== 'caption' || !parent || !pictures.has(parent.kind)) continue
    if (!isTornApart(caption, parent, placed)) continue
    placed.splice(placed.indexOf(caption), 1)
    placed.splice(placeBeside(caption, parent, placed), 0, caption)
  }
  return placed
}

/** Something is read between the two that does not stand between them. */
function isTornApart(caption: DraftBlock, parent: DraftBlock, blocks: readonly DraftBlock[]): boolean {
  const [a, b] = [blocks.indexOf(caption), blocks.indexOf(parent)]
  if (a < 0 || b < 0) return false
  const both = union(caption.box, parent.box)
  const between = blocks.slice(Math.min(a, b) + 1, Math.max(a, b))
  // Further pictures of one illustration: its caption follows all of them.
  if (between.some((other) => pictures.has(other.kind) && overlapY(other.box, both) > 0 && !blocks.some((c) => c.parent === other))) return false
  return between.some((other) => !besides.has(other.kind) && !isWithin(other, both))
}

/** Before what a caption stands above, after what it stands below; other writing of the figure stays between. */
function placeBeside(caption: DraftBlock, parent: DraftBlock, blocks: readonly DraftBlock[]): number {
  const both = union(caption.box, parent.box)
  const isAbove = centerY(caption.box) < centerY(parent.box)
  const step = isAbove ? -1 : 1
  let at = blocks.indexOf(parent)
  for (let next = blocks[at + step]; next && isWithin(next, both); next = blocks[at + step]) at += step
  return isAbove ? at : at + 1
}

const isWithin = (block: DraftBlock, box: PointBox): boolean => overlapX(block.box, box) > 0 && overlapY(block.box, box) > 0
