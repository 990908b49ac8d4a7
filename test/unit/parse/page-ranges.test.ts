import { describe, expect, it } from 'vitest'
import { parsePageRanges } from '../../../src/parse/page-ranges.ts'

describe('page ranges', () => {
  it('reads single pages, ranges and open ends as ascending 0-based indices, each once', () => {
    expect(parsePageRanges('3, 1-2,2')).toEqual([0, 1, 2])
    expect(parsePageRanges('4-', 6)).toEqual([3, 4, 5])
  })

  it.each(['', '0', '2-1', 'a', '1--2', '1,', '-3'])('refuses "%s" and names it', (text) => {
    expect(() => parsePageRanges(text)).toThrow(RangeError)
  })
})
