import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const require = createRequire(import.meta.url)
const place = 'kafkajs/src/protocol/recordBatch/record/v0/index.js'
const theirs = require(place)
const { encodeRecord } = await import('../../../../src/consumers/kafka/record-encoder.ts')

const text = fc.string({ unit: 'grapheme', maxLength: 200 })
const part = fc.oneof(
  text,
  text.map((string) => Buffer.from(string)),
  fc.uint8Array({ maxLength: 9000 }).map((bytes) => Buffer.from(bytes)),
)
const record = fc.record({
  offsetDelta: fc.nat(),
  timestampDelta: fc.nat({ max: 2 ** 31 }).map((ms) => ms * 1000),
  key: fc.option(part),
  value: fc.option(part),
  headers: fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.oneof(part, fc.array(part, { maxLength: 3 })), { maxKeys: 9 }),
})

describe('encodeRecord', () => {
  it('writes what the client would, byte for byte', () => {
    fc.assert(
      fc.property(record, (parts) => encodeRecord(parts).buffer.equals(theirs(parts).buffer)),
      { numRuns: 1000, seed: 5 },
    )
  })

  it('has taken the place of the one of the client', () => {
    expect(require(place)).toBe(encodeRecord)
  })
})
