import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bannedTokens, type RepeatRule } from '../../../../../../src/runtime/vlm/engines/llama/repeat-guard.ts'

/** Word for word as the rule says it. */
function plainly(written: readonly number[], { tokens, window }: RepeatRule): number[] {
  const tail = written.slice(written.length - (tokens - 1))
  if (written.length < tokens - 1) return []
  const banned: number[] = []
  for (let start = Math.max(0, written.length - (window ?? written.length)); start + tail.length < written.length; start++) {
    if (tail.every((token, i) => written[start + i] === token)) banned.push(written[start + tail.length] as number)
  }
  return banned
}

describe('the guard against repeats', () => {
  it('bans what followed the same tokens before', () => {
    expect(bannedTokens([1, 2, 3, 9, 1, 2, 3], { tokens: 4 })).toEqual([9])
    expect(bannedTokens([1, 2, 3, 9, 1, 2, 4], { tokens: 4 })).toEqual([])
  })

  it('bans a third one of the same token in a row where a run of three is forbidden twice', () => {
    expect(bannedTokens([5, 5], { tokens: 3 })).toEqual([])
    expect(bannedTokens([5, 5, 5], { tokens: 3 })).toEqual([5])
  })

  it('forgets runs that begin before the window', () => {
    const written = [1, 2, 9, 0, 0, 0, 1, 2]
    expect(bannedTokens(written, { tokens: 3, window: 8 })).toEqual([9])
    expect(bannedTokens(written, { tokens: 3, window: 7 })).toEqual([])
  })

  it('bans every token where runs of one are forbidden', () => {
    expect(bannedTokens([3, 4, 3], { tokens: 1 })).toEqual([3, 4, 3])
  })

  it('is the rule, on any history', () => {
    const history = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 })
    const rule = fc.record({ tokens: fc.integer({ min: 1, max: 6 }), window: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }) })
    fc.assert(
      fc.property(history, rule, (written, { tokens, window }) => {
        const given = window === undefined ? { tokens } : { tokens, window }
        expect(bannedTokens(written, given)).toEqual(plainly(written, given))
      }),
      { numRuns: 2000 },
    )
  })
})
