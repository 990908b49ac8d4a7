import { describe, expect, it } from 'vitest'
import { parseTraceparent, traceIdOf } from '../../../src/telemetry/trace-context.ts'

const [trace, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']

describe('a traceparent', () => {
  it('names trace, parent and flags', () => {
    expect(parseTraceparent(`00-${trace}-${parent}-01`)).toEqual({ traceId: trace, parentId: parent, flags: 1 })
  })

  it('that is sampled has a trace that somebody kept; one that is not has none', () => {
    expect(traceIdOf(`00-${trace}-${parent}-03`)).toBe(trace)
    expect(traceIdOf(`00-${trace}-${parent}-02`)).toBeUndefined()
  })

  it.each([
    undefined,
    '',
    'x',
    `00-${trace}-${parent}`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${parent}-01`,
  ])('that is %j is none', (text) => {
    expect(parseTraceparent(text)).toBeUndefined()
  })
})
