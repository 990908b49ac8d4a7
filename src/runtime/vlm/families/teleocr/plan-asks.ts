import { coverage } from '../../../../geometry/box.ts'
import type { BlockAsk, CropRule } from '../../family.ts'
import type { FoundBlock } from '../../page-reader.ts'
import { blockAsks } from './asks.ts'
import { blockTypes } from './block-types.ts'

/** Share of a block that lies in the container that it belongs to. */
const leastInside = 0.8
/** Tokens of a picture are 28 x 28 pixels; a crop of more than 4,096 of them leaves no room for the answer in a context of 16,384. */
const mostPixels = 4_096 * 28 * 28

/** Which blocks a list or a group of formulas holds: those in it that are not containers themselves. */
export function membersOf(blocks: readonly FoundBlock[], container: FoundBlock): number[] {
  const memberKinds = container.type === 'list' ? ['text', 'ref_text', 'phonetic'] : ['equation']
  return [...blocks.keys()].filter((index) => {
    const block = blocks[index]
    return block !== undefined && memberKinds.includes(block.type) && coverage(block.box, container.box) >= leastInside
  })
}

/** Whether a block only holds others, which are read in its stead. A container that holds none is read itself, so that nothing is lost. */
export const isFullContainer = (blocks: readonly FoundBlock[], block: FoundBlock): boolean =>
  blockTypes.get(block.type)?.container === true && membersOf(blocks, block).length > 0

/** All blocks but pictures and containers, each with the question of its kind. */
export function planAsks(blocks: readonly FoundBlock[]): Map<number, BlockAsk> {
  const asks = new Map<number, BlockAsk>()
  for (const [index, block] of blocks.entries()) {
    const task = blockTypes.get(block.type)?.task
    if (task !== undefined && !isFullContainer(blocks, block)) asks.set(index, { ask: blockAsks[task], crop: cropOf(block) })
  }
  return asks
}

const cropOf = ({ box, angle, polygon }: FoundBlock): CropRule => ({
  box,
  rounding: 'truncate',
  angle,
  ...(polygon && { polygon }),
  mostRatio: 50,
  leastSide: 28,
  mostPixels,
})
