import { describe, expect, it } from 'vitest'
import { titleLevelsAsk, titleLevelsIn } from '../../../../src/runtime/vlm/title-levels.ts'

describe('the question for levels', () => {
  it('lists text, size and page of each heading as JSON', () => {
    const { prompt, maxTokens } = titleLevelsAsk([
      { text: 'Rivers\n of  the "north"', sizePt: 16.04, pageNumber: 1 },
      { text: 'x'.repeat(500), sizePt: 12, pageNumber: 7 },
    ])
    const listed = JSON.parse(prompt.slice(prompt.lastIndexOf('{')))
    expect(listed).toEqual({ 0: ['Rivers of the "north"', 16, 1], 1: ['x'.repeat(120), 12, 7] })
    expect(maxTokens).toBeGreaterThan(20)
  })
})

describe('the answer', () => {
  it('gives each heading its level, in a fence or among words too', () => {
    expect(titleLevelsIn('{"0": 1, "1": 2}', 2)).toEqual([1, 2])
    expect(titleLevelsIn('Here they are:\n```json\n{"1": 4, "0": 1}\n```', 2)).toEqual([1, 4])
  })

  it.each([
    ['a number is missing', '{"0": 1}'],
    ['there is one too many', '{"0": 1, "1": 2, "2": 2}'],
    ['a number is another', '{"0": 1, "2": 2}'],
    ['a level is too deep', '{"0": 1, "1": 5}'],
    ['a level is none', '{"0": 1, "1": 0}'],
    ['a level is a word', '{"0": 1, "1": "2"}'],
    ['a level is half', '{"0": 1, "1": 1.5}'],
    ['it is a list', '[1, 2]'],
    ['it is cut', '{"0": 1, "1": '],
    ['it is empty', ''],
    ['it is prose', 'I cannot tell {sorry}.'],
  ])('counts for nothing where %s', (_, answer) => {
    expect(titleLevelsIn(answer, 2)).toBeUndefined()
  })
})
