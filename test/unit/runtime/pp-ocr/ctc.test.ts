import { describe, expect, it } from 'vitest'
import { alphabetOf, confidenceOf, decodeCtc } from '../../../../src/runtime/pp-ocr/ctc.ts'

const alphabet = alphabetOf(['a', 'b', '\u3000'])

/** One row of probabilities for each step: the class named has the given one, the rest share what is left. */
const output = (...steps: [number, number][]): Float32Array =>
  Float32Array.from(steps.flatMap(([best, probability]) => Array.from({ length: 5 }, (_, i) => (i === best ? probability : (1 - probability) / 4))))

describe('the CTC decoder', () => {
  it('drops blanks and repeats, keeps a letter that a blank parts, and reads the last class as a space', () => {
    const read = decodeCtc(output([0, 0.9], [1, 0.9], [1, 0.8], [0, 0.9], [1, 0.7], [4, 0.9], [2, 0.9]), 7, alphabet)
    expect(read.map(({ text, step }) => [text, step])).toEqual([
      ['a', 1],
      ['a', 4],
      [' ', 5],
      ['b', 6],
    ])
  })

  it('takes the best class even where none has more than a half', () => {
    expect(decodeCtc(output([3, 0.3], [0, 0.4], [2, 0.26]), 3, alphabet).map(({ text }) => text)).toEqual(['\u3000', 'b'])
  })

  it('is as sure as the mean of the characters it keeps', () => {
    expect(confidenceOf(decodeCtc(output([1, 0.9], [1, 0.5], [0, 1], [2, 0.7]), 4, alphabet))).toBeCloseTo(0.8, 5)
    expect(confidenceOf([])).toBe(0)
  })
})
