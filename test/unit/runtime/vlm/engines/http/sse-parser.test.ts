import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SseParser } from '../../../../../../src/runtime/vlm/engines/http/sse-parser.ts'

function read(bytes: Buffer, cuts: readonly number[] = []): string[] {
  const events: string[] = []
  const parser = new SseParser((data) => events.push(data))
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  let from = 0
  for (const to of [...places, bytes.length]) {
    parser.push(bytes.subarray(from, to))
    from = to
  }
  parser.end()
  return events
}

describe('SseParser', () => {
  it('gives the data of each event, with or without a blank behind the colon', () => {
    expect(read(Buffer.from('data: {"a":1}\n\ndata:{"b":2}\n\n'))).toEqual(['{"a":1}', '{"b":2}'])
  })

  it('passes over comments, other fields and empty lines', () => {
    expect(read(Buffer.from(': wait\n\n:\nevent: x\nid: 7\n\n\ndata: a\n\n'))).toEqual(['a'])
  })

  it('joins several lines of data and takes CR LF', () => {
    expect(read(Buffer.from('data: a\r\ndata: b\r\n\r\n'))).toEqual(['a\nb'])
  })

  it('gives the last event though its empty line is missing', () => {
    expect(read(Buffer.from('data: a\n\ndata: [DONE]'))).toEqual(['a', '[DONE]'])
  })

  it('reads the same wherever the bytes are cut', () => {
    const events = fc.array(
      fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => JSON.stringify(text)),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(events, fc.array(fc.nat(), { maxLength: 40 }), (data, cuts) => {
        const bytes = Buffer.from(data.map((each) => `: c\ndata: ${each}\n\n`).join(''))
        expect(read(bytes, cuts)).toEqual(data)
      }),
    )
  })

  it('ends an event that does not end', () => {
    const parser = new SseParser(() => undefined)
    const chunk = Buffer.alloc(300_000, 'x')
    expect(() => {
      for (let round = 0; round < 5; round++) parser.push(chunk)
    }).toThrow(/no end/)
    const lines = new SseParser(() => undefined)
    expect(() => {
      for (let round = 0; round < 5; round++) lines.push(Buffer.from(`data: ${'x'.repeat(300_000)}\n`))
    }).toThrow(/no end/)
  })
})
