import type { Ask, Decoding, SentPicture } from '../../../src/runtime/vlm/engine.ts'
import { pngOf } from './png.ts'

export const greedy: Decoding = { temperature: 0, topP: 0.01, topK: 1, repetitionPenalty: 1, presencePenalty: 0, frequencyPenalty: 0 }

/** One colour all over. */
export function plainPicture(width = 64, height = 64, [red, green, blue]: readonly [number, number, number] = [255, 255, 255]): SentPicture {
  const rgb = new Uint8Array(width * height * 3)
  for (let at = 0; at < rgb.length; at += 3) rgb.set([red, green, blue], at)
  return { bytes: pngOf(width, height, rgb), mediaType: 'image/png', width, height }
}

export function askOf(prompt: string, more: Partial<Ask> = {}): Ask {
  return { task: 'text', system: 'You are a helpful assistant.', prompt, picture: plainPicture(), decoding: greedy, maxTokens: 256, ...more }
}
