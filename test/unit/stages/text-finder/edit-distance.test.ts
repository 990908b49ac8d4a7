import { describe, expect, it } from 'vitest'
import { editDistance, similarity } from '../../../../src/stages/text-finder/edit-distance.ts'

describe('the edit distance', () => {
  it('counts insertions, deletions and replacements', () => {
    expect(editDistance('kitten', 'sitting')).toBe(3)
    expect(editDistance('', 'abc')).toBe(3)
    expect(editDistance('same', 'same')).toBe(0)
  })

  it('is bounded for long texts', () => {
    expect(editDistance('a'.repeat(100_000), 'b'.repeat(100_000))).toBe(400)
  })

  it('makes texts similar that differ in case, accents, spaces and marks only', () => {
    expect(similarity('The "Café", open!', 'the cafe open')).toBe(1)
    expect(similarity('abcd', 'abxy')).toBe(0.5)
    expect(similarity('?!', '')).toBe(1)
  })
})
