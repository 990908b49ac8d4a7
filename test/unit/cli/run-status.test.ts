import { describe, expect, it } from 'vitest'
import { laneOf } from '../../../src/cli/run-status.ts'

describe('laneOf', () => {
  it('finds a document in one lane while the other is too long to tell', async () => {
    expect(await laneOf(async (lane) => (lane === 'live' ? 'unknown' : 'yes'))).toEqual({ lane: 'bulk', state: 'submitted' })
  })

  it('does not know where one lane cannot tell and the other has none, and finds nothing where neither has it', async () => {
    expect(await laneOf(async (lane) => (lane === 'live' ? 'unknown' : 'no'))).toEqual({ lane: 'live', state: 'unknown' })
    expect(await laneOf(async () => 'no')).toBeUndefined()
  })
})
