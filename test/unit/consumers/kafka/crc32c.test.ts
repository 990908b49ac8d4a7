import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crc32c } from '../../../../src/consumers/kafka/crc32c.ts'

const theirs: (bytes: Uint8Array) => number = createRequire(import.meta.url)('kafkajs/src/protocol/recordBatch/crc32C/crc32C.js')

describe('crc32c', () => {
  it('gives the check value of the polynomial', () => {
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283)
  })

  it('counts as the client does, from whatever place in a buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat({ max: 7 }), (bytes, from) => crc32c(bytes.subarray(from)) === theirs(bytes.subarray(from))),
      { numRuns: 1000, seed: 6 },
    )
  })
})
