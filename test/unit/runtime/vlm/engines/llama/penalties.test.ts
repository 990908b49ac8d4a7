import { describe, expect, it } from 'vitest'
import { penalise, penaltyTokens } from '../../../../../../src/runtime/vlm/engines/llama/penalties.ts'

const neutral = { repetitionPenalty: 1, presencePenalty: 0, frequencyPenalty: 0 }
const scores = (...values: number[]) => Float32Array.from(values)

describe('penalties', () => {
  it('change nothing when they are neutral', () => {
    const given = scores(1, -1, 2)
    penalise(given, [0, 1, 2], neutral)
    expect([...given]).toEqual([1, -1, 2])
  })

  it('divide what is above zero and multiply what is below by the repetition penalty', () => {
    const given = scores(4, -4, 4)
    penalise(given, [0, 1], { ...neutral, repetitionPenalty: 2 })
    expect([...given]).toEqual([2, -8, 4])
  })

  it('subtract presence once and frequency for each time', () => {
    const given = scores(10, 10, 10)
    penalise(given, [0, 0, 0, 1], { ...neutral, presencePenalty: 1, frequencyPenalty: 0.5 })
    expect([...given]).toEqual([7.5, 8.5, 10])
  })

  it('look back over 64 tokens', () => {
    const given = scores(1, 1)
    penalise(given, [0, ...Array.from({ length: penaltyTokens }, () => 1)], { ...neutral, presencePenalty: 0.5 })
    expect([...given]).toEqual([1, 0.5])
  })
})
