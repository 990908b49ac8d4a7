import { expect, it } from 'vitest'
import type { Word } from '../../../src/schema/text-layer.ts'
import { packWords, unpackWords } from '../../../src/text-layer/pack-words.ts'

const plain: Word = { text: 'plain', box: [1.25, 2, 30.5, 14], baseline: 11, style: 2, angle: 0, spaceBefore: false, edges: [1.25, 6, 12, 18, 24, 30.5] }
const words: Word[] = [
  plain,
  { ...plain, text: '', edges: [4], spaceBefore: true },
  { ...plain, text: '\u{1d49c}', edges: [1, 2, 3], angle: 359.5, vertical: true, hyphen: true, unmapped: 1 },
  { ...plain, text: 'x2', edges: [0, 1, 2], runs: [{ start: 1, style: 3, raised: 'sub' }], link: 0, mcid: 0 },
  { ...plain, text: 'a', edges: [0, 1], raised: 'super', hidden: 'invisible', spaceBefore: true },
  { ...plain, text: 'b', edges: [0, 1], raised: 'sub', hidden: 'covered' },
]

it('gives back the words that were packed', () => {
  const again = unpackWords(structuredClone(packWords(words)))
  expect(again.map((word) => ({ ...word, edges: Array.from(word.edges) }))).toStrictEqual(words.map((word) => ({ ...word })))
})

it('packs a page without words', () => {
  expect(unpackWords(packWords([]))).toEqual([])
})
