import type { PagestreamError } from '../../../schema/failure.ts'
import type { Ask } from '../engine.ts'
import type { TwoStepFamily } from '../family.ts'
import type { FoundBlock } from '../page-reader.ts'
import { askGuarded, orKept, secondTry } from './ask-guarded.ts'
import { type Asker, priorities } from './asker.ts'
import { fewDropped } from './few-dropped.ts'
import { toPageFailure } from './question-failure.ts'

export interface FoundLayout {
  readonly blocks: FoundBlock[]
  /** It came to its end, and hardly a piece of it is no block. */
  readonly isSound: boolean
  /** Why there are no blocks, where the answer makes no sense. */
  readonly failure?: PagestreamError
}

/** Asks where the blocks of a page are, once more with other dice where the answer is not sound. The better one counts. Rejects as `Asker.ask`. */
export async function askLayout(asker: Pick<Asker, 'ask'>, family: TwoStepFamily, ask: Ask, signal: AbortSignal | undefined): Promise<FoundLayout> {
  const first = await askOnce(asker, family, ask, signal)
  return first.isSound ? first : better(first, await orKept(askOnce(asker, family, { ...ask, decoding: secondTry(ask.decoding) }, signal), first))
}

async function askOnce(asker: Pick<Asker, 'ask'>, family: TwoStepFamily, ask: Ask, signal: AbortSignal | undefined): Promise<FoundLayout> {
  const answer = await askGuarded(asker, ask, { priority: priorities.layout, guard: { element: family.layoutElement }, signal })
  try {
    const { blocks, dropped } = family.parseLayout(answer.text)
    const isWhole = answer.finish === 'stop'
    return { blocks: isWhole ? blocks : lastCut(blocks), isSound: isWhole && fewDropped(blocks.length, dropped) }
  } catch (error) {
    return { blocks: [], isSound: false, failure: toPageFailure(error) }
  }
}

const better = (first: FoundLayout, second: FoundLayout): FoundLayout => (second.isSound || second.blocks.length > first.blocks.length ? second : first)

/** The list ended before its end: the last block is the nearest that can be told so. */
function lastCut(blocks: FoundBlock[]): FoundBlock[] {
  const last = blocks.at(-1)
  return last ? [...blocks.slice(0, -1), { ...last, flags: [...last.flags, 'cut'] }] : blocks
}
