import type { OnePassFamily } from '../../family.ts'
import { openDetParser } from './det-parser.ts'
import { sentSize } from './sent-size.ts'
import { visionTokens } from './vision-tokens.ts'

/** Unlimited-OCR: one question a page. The prompt is exactly this, without space or line break around it; where the picture goes, the engine's adapter knows. */
export const unlimitedOcr: OnePassFamily = {
  family: 'unlimited-ocr',
  steps: 'one',
  imageTokens: visionTokens,
  pageAsk: {
    task: 'page',
    prompt: 'document parsing.',
    decoding: {
      temperature: 0,
      topP: 1,
      topK: 1,
      repetitionPenalty: 1,
      presencePenalty: 0,
      frequencyPenalty: 0,
      noRepeat: { tokens: 35, window: 128 },
    },
    maxTokens: 8192,
  },
  sentSize,
  openParser: openDetParser,
}
