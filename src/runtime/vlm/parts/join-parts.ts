import { type BlockKind, furnitureKinds } from '../../../schema/block-kind.ts'
import type { Box } from '../../../schema/geometry.ts'
import { endsSentence } from '../../../text/sentence-end.ts'
import type { FoundBlock } from '../page-reader.ts'

/** A part of a page, and the blocks that were found in it, in its own fractions. */
export interface ReadPart {
  readonly box: Box
  readonly blocks: readonly FoundBlock[]
}

/** Of the page's height: heads and feet stand above and below. */
const bodyTop = 0.15
const bodyBottom = 0.85

/**
 * The blocks of a page that was read in parts, in the order of the parts. Boxes are of the page; what a model takes for the head or foot of a part is
 * text where it stands in the body of the page; a paragraph that a cut went through goes on in the next part.
 */
export function joinParts(parts: readonly ReadPart[]): FoundBlock[] {
  const joined: FoundBlock[] = []
  for (const { box: part, blocks } of parts) {
    for (const [index, block] of blocks.entries()) {
      const placed = inBody(onPage(block, part))
      const before = index === 0 ? joined.at(-1) : undefined
      joined.push(before !== undefined && goesOn(before, placed) ? { ...placed, continues: true } : placed)
    }
  }
  return joined
}

function onPage(block: FoundBlock, [x0, y0, x1, y1]: Box): FoundBlock {
  const x = (fraction: number): number => x0 + fraction * (x1 - x0)
  const y = (fraction: number): number => y0 + fraction * (y1 - y0)
  const { box, polygon } = block
  return {
    ...block,
    box: [x(box[0]), y(box[1]), x(box[2]), y(box[3])],
    ...(polygon && { polygon: polygon.map((fraction, at) => (at % 2 === 0 ? x(fraction) : y(fraction))) }),
  }
}

function inBody(block: FoundBlock): FoundBlock {
  if (!furnitureKinds.has(block.kind) || block.box[1] < bodyTop || block.box[3] > bodyBottom) return block
  const kind: BlockKind = 'text'
  return { ...block, kind, ...(block.content && { content: { ...block.content, kind } }) }
}

/** Text that ends in the middle of a sentence, and text that begins there. */
const goesOn = (before: FoundBlock, next: FoundBlock): boolean =>
  before.kind === 'text' &&
  next.kind === 'text' &&
  /[^\s]/u.test(before.content?.text ?? '') &&
  !endsSentence(before.content?.text ?? '') &&
  /^[\p{Ll}\p{Lo}]/u.test(next.content?.text ?? '')
