import { describe, expect, it } from 'vitest'
import type { Decoding } from '../../../../../../src/runtime/vlm/engine.ts'
import { chooseToken } from '../../../../../../src/runtime/vlm/engines/llama/choose-token.ts'

const greedy: Decoding = { temperature: 0, topP: 1, topK: 0, repetitionPenalty: 1, presencePenalty: 0, frequencyPenalty: 0 }
const scores = (...values: number[]) => Float32Array.from(values)

/** How often each token of `count` draws at even steps of the dice. */
function draws(values: number[], decoding: Decoding, count = 1000): number[] {
  const times = values.map(() => 0)
  for (let i = 0; i < count; i++) {
    const token = chooseToken(scores(...values), [], decoding, () => (i + 0.5) / count)
    if (token !== undefined) times[token] = (times[token] ?? 0) + 1
  }
  return times
}

describe('the next token', () => {
  it('is the one with the highest score, wherever it stands', () => {
    for (let length = 1; length < 12; length++) {
      for (let best = 0; best < length; best++) {
        const values = Array.from({ length }, (_, i) => (i === best ? -1 : -2 - i))
        expect(chooseToken(scores(...values), [], greedy)).toBe(best)
      }
    }
  })

  it('is the first of equals', () => {
    expect(chooseToken(scores(1, 3, 3, 3, 3), [], greedy)).toBe(1)
  })

  it('is the next best one where the guard bans the best', () => {
    expect(chooseToken(scores(0, 5, 3), [1, 1, 1], { ...greedy, noRepeat: { tokens: 3 } })).toBe(2)
  })

  it('is another one where the penalties are high enough', () => {
    expect(chooseToken(scores(0, 5, 3), [1], { ...greedy, presencePenalty: 3 })).toBe(2)
  })

  it('does not exist where no score is a number, or all are banned', () => {
    expect(chooseToken(scores(Number.NaN, Number.NaN), [], greedy)).toBeUndefined()
    expect(chooseToken(scores(1), [0], { ...greedy, noRepeat: { tokens: 1 } })).toBeUndefined()
  })

  it('passes over scores that are no numbers', () => {
    expect(chooseToken(scores(Number.NaN, 2, Number.NaN, 1), [], greedy)).toBe(1)
  })

  it('is drawn by likelihood at a temperature', () => {
    const times = draws([Math.log(1), Math.log(3)], { ...greedy, temperature: 1 })
    expect(times).toEqual([250, 750])
    expect(draws([Math.log(1), Math.log(3)], { ...greedy, temperature: 0.5 })).toEqual([100, 900])
  })

  it('is drawn from the best few alone', () => {
    expect(draws([0, 0, 5, 0], { ...greedy, temperature: 1, topK: 1 })).toEqual([0, 0, 1000, 0])
    expect(draws([Math.log(6), Math.log(3), Math.log(1)], { ...greedy, temperature: 1, topP: 0.6 })).toEqual([1000, 0, 0])
    expect(draws([Math.log(6), Math.log(3), Math.log(1)], { ...greedy, temperature: 1, topP: 0.7 })[2]).toBe(0)
  })
})
