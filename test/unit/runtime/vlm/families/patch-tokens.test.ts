import { expect, it } from 'vitest'
import { patchTokens } from '../../../../../src/runtime/vlm/families/patch-tokens.ts'

it.each([
  [1036, 1036, 1369], // as makers of MinerU2.5 tell for a whole page
  [28, 28, 1],
  [10, 56, 2],
  [1654, 2339, 59 * 84],
])('a picture of %i x %i pixels becomes %i tokens', (width, height, tokens) => expect(patchTokens(width, height)).toBe(tokens))
