import { expect, it } from 'vitest'
import { pictureTokens, withoutPictureTokens } from '../../../../../../src/runtime/vlm/families/mineru/picture-tokens.ts'

it('tokens are four safe characters, no two alike, and the same ones each time', () => {
  const tokens = pictureTokens(1000)
  expect(new Set(tokens).size).toBe(1000)
  for (const token of tokens) expect(token).toMatch(/^[ACDGHKTWXYZ2-8]{4}$/)
  expect(pictureTokens(3)).toEqual(tokens.slice(0, 3))
})

it('a cell loses the tokens of its table, with or without blanks in the brackets, and no other brackets', () => {
  const [token = ''] = pictureTokens(1)
  expect(withoutPictureTokens(`a [${token}] b [ ${token} ]`, new Set([token]))).toBe('a  b')
  expect(withoutPictureTokens(`[AAAA] ${token}`, new Set([token]))).toBe(`[AAAA] ${token}`)
})
