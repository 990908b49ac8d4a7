import { describe, expect, it } from 'vitest'
import { StyleTally } from '../../../dist/stages/style-tally.js'

describe('StyleTally', () => {
  it('has no style before anything is counted', () => {
    const tally = new StyleTally()
    expect(tally.most()).toBe(-1)
    expect([...tally.entries()]).toEqual([])
  })

  it('adds up the characters of one style', () => {
    const tally = new StyleTally()
    tally.add(3, 4)
    tally.add(3, 2)
    expect(tally.most()).toBe(3)
    expect([...tally.entries()]).toEqual([[3, 6]])
  })

  it('keeps several styles in the order in which they were met', () => {
    const tally = new StyleTally()
    tally.add(5, 1)
    tally.add(2, 4)
    tally.add(5, 2)
    tally.add(0, 1)
    expect([...tally.entries()]).toEqual([
      [5, 3],
      [2, 4],
      [0, 1],
    ])
    expect(tally.most()).toBe(2)
  })

  it('names the first of styles with equally many characters', () => {
    const tally = new StyleTally()
    tally.add(7, 3)
    tally.add(1, 3)
    expect(tally.most()).toBe(7)
  })
})
