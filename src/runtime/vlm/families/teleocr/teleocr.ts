import type { BlockKind } from '../../../../schema/block-kind.ts'
import type { BlockAnswer, TwoStepFamily } from '../../family.ts'
import type { FoundBlock, PageBlockReading } from '../../page-reader.ts'
import { patchTokens } from '../patch-tokens.ts'
import { layoutAsk } from './asks.ts'
import { contentOf } from './block-content.ts'
import { parseLayout } from './parse-layout.ts'
import { isFullContainer, membersOf, planAsks } from './plan-asks.ts'

/** TeleOCR: the layout of the page, then each block by itself. */
export const teleOcr: TwoStepFamily = {
  family: 'teleocr',
  steps: 'two',
  imageTokens: patchTokens,
  layoutSize: { width: 1036, height: 1036 },
  layoutAsk,
  layoutElement: '<box:',
  parseLayout,
  planAsks,
  finishPage,
}

/** Containers go, their members stay where they are; texts in a list are its items. */
function finishPage(blocks: readonly FoundBlock[], answers: ReadonlyMap<number, BlockAnswer>): PageBlockReading[] {
  const items = new Set(blocks.filter(({ type }) => type === 'list').flatMap((list) => membersOf(blocks, list)))
  const readings: PageBlockReading[] = []
  for (const [index, block] of blocks.entries()) {
    if (isFullContainer(blocks, block)) continue
    const answer = answers.get(index)
    const kind: BlockKind = items.has(index) && block.kind === 'text' ? 'list_item' : block.kind
    readings.push({ of: [index], box: block.box, ...(kind !== block.kind && { kind }), content: answer && contentOf(kind, answer) })
  }
  return readings
}
