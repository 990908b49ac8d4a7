import type { Decoding } from '../../engine.ts'
import type { PlannedAsk } from '../../family.ts'
import type { BlockTask } from './block-types.ts'

/**
 * Greedy, with penalties per task. No hundred tokens are written twice: engines that know the rule apply it, on others the host's guard stands alone.
 */
const decoding = (presencePenalty: number, frequencyPenalty: number): Decoding => ({
  temperature: 0,
  topP: 0.01,
  topK: 1,
  repetitionPenalty: 1,
  presencePenalty,
  frequencyPenalty,
  noRepeat: { tokens: 100 },
})

const system = 'You are a helpful assistant.'

/** A page of a thousand blocks cannot be said in so many tokens; one of a hundred takes three thousand. */
export const layoutAsk: PlannedAsk = { task: 'layout', system, prompt: '\nLayout Detection:', decoding: decoding(0, 0), maxTokens: 4096 }

/**
 * A crop takes up to 2048 of the context of 16384 tokens. What is written in one block never comes near 4096; a table of a whole page, with a token for
 * each cell, may, and 8192 still fit beside its picture.
 */
export const blockAsks: Readonly<Record<BlockTask, PlannedAsk>> = {
  text: { task: 'text', system, prompt: '\nText Recognition:', decoding: decoding(1, 0.05), maxTokens: 4096 },
  table: { task: 'table', system, prompt: '\nTable Recognition:', decoding: decoding(1, 0.005), maxTokens: 8192 },
  equation: { task: 'equation', system, prompt: '\nFormula Recognition:', decoding: decoding(1, 0.05), maxTokens: 4096 },
  picture: { task: 'picture', system, prompt: '\nImage Analysis:', decoding: decoding(1, 0.05), maxTokens: 4096 },
}
