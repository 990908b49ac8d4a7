import type { BlockContent } from '../../../../schema/vlm-block.ts'
import type { BlockAnswer, FamilyOptions } from '../../family.ts'
import type { FoundBlock, PageBlockReading } from '../../page-reader.ts'
import { longestAnswer } from '../answer-text.ts'
import { nonText, readBlock } from './block-reading.ts'
import { combineEquations } from './equations/equation-blocks.ts'
import { type PagePlan, planPage } from './page-plan.ts'
import { pictureTokens } from './picture-tokens.ts'

/** Types that keep their place without a word in them; others that hold nothing to read are no blocks. */
const keptWithoutText: ReadonlySet<string> = new Set(['header', 'footer', 'table', 'equation', 'list', 'image', 'chart', 'image_block', 'equation_block'])

/**
 * What a page says. Containers give way to what they hold, and a block that lies in no reading is gone: a list that has items, the caption within a picture
 * that was described as a whole, what is no text. Pictures within a table stay blocks of their own. Never throws.
 */
export function finishPage(blocks: readonly FoundBlock[], answers: ReadonlyMap<number, BlockAnswer>, options: FamilyOptions): PageBlockReading[] {
  const plan = planPage(blocks, options)
  const listed = new Set([...plan.itemsOf.values()].flat())
  const isItem = (block: FoundBlock, at: number) => block.type === 'text' && listed.has(at)
  const contents = readAnswers(blocks, answers, plan, isItem)
  const merged = mergeEquations(plan, contents)
  const gone = new Set([
    ...plan.innerCaptions,
    ...plan.emptied,
    ...plan.itemsOf.keys(),
    ...[...plan.subFiguresOf.values()].flat(),
    ...[...plan.equationsOf].flatMap(([container, members]) => (merged.has(container) ? members : [container])),
  ])
  return blocks.flatMap((block, at) => {
    if (gone.has(at)) return []
    const answered = contents.get(at)
    if (answered?.raw.trim() === nonText && !keptWithoutText.has(block.type)) return []
    const combined = merged.get(at)
    const members = combined ? (plan.equationsOf.get(at) ?? []) : (plan.subFiguresOf.get(at) ?? [])
    return [{ of: [at, ...members], box: block.box, ...(isItem(block, at) && { kind: 'list_item' as const }), content: combined ?? answered }]
  })
}

function readAnswers(
  blocks: readonly FoundBlock[],
  answers: ReadonlyMap<number, BlockAnswer>,
  plan: PagePlan,
  isItem: (block: FoundBlock, at: number) => boolean,
): Map<number, BlockContent> {
  const contents = new Map<number, BlockContent>()
  for (const [at, task] of plan.tasks) {
    const [block, answer] = [blocks[at], answers.get(at)]
    if (!block || !answer) continue
    const kind = isItem(block, at) ? 'list_item' : block.kind
    contents.set(at, readBlock(kind, task, answer, new Set(pictureTokens(plan.picturesOf.get(at)?.length ?? 0))))
  }
  return contents
}

/** By container: the formulas of two or more blocks as one, if all of them were read. */
function mergeEquations(plan: PagePlan, contents: ReadonlyMap<number, BlockContent>): Map<number, BlockContent> {
  const merged = new Map<number, BlockContent>()
  for (const [container, members] of plan.equationsOf) {
    const parts = members.flatMap((at) => contents.get(at) ?? [])
    if (parts.length < 2 || parts.length < members.length) continue
    const latex = combineEquations(parts.map((part) => part.text))
    const raw = parts
      .map((part) => part.raw)
      .join('\n')
      .slice(0, longestAnswer)
    merged.set(container, { kind: 'formula', text: latex, latex, raw, flags: [...new Set(parts.flatMap((part) => part.flags))] })
  }
  return merged
}
