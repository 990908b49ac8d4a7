import type { Decoding } from '../../engine.ts'
import type { PlannedAsk } from '../../family.ts'
import type { BlockTask } from './block-types.ts'

/** The repetition penalty is sent although it does nothing: the model's own configuration has another, which servers take where none is sent. */
const decoding = (presencePenalty: number, frequencyPenalty: number): Decoding => ({
  temperature: 0,
  topP: 0.01,
  topK: 1,
  repetitionPenalty: 1,
  presencePenalty,
  frequencyPenalty,
  noRepeat: { tokens: 100 },
})

const ask = (task: 'layout' | BlockTask, prompt: string, chosen: Decoding): PlannedAsk => ({
  task,
  system: 'You are a helpful assistant.',
  prompt: `\n${prompt}`,
  decoding: chosen,
  maxTokens: 4096,
})

const ofText = decoding(1, 0.05)
const ofTable = decoding(1, 0.005)

export const layoutAsk = ask('layout', 'Analyze the image layout.', decoding(0, 0))

export const blockAsks: Readonly<Record<BlockTask, PlannedAsk>> = {
  text: ask('text', 'Please output the text content from the image.', ofText),
  table: ask('table', 'This is the image of a table. Please output the table in OTSL format.', ofTable),
  equation: ask('equation', 'Please write out the expression of the formula in the image using LaTeX format.', ofText),
  code: ask('code', 'The image contains a code snippet, please output the parsing result.', ofText),
  char: ask('char', 'This is a scientific figure. Please extract the table implied by this figure.', ofTable),
  seal: ask('seal', 'Seal Recognition:', ofTable),
}
