import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnswerReader, type ReadAnswer } from '../../../../../../src/runtime/vlm/engines/http/answer-reader.ts'
import { PagestreamError } from '../../../../../../src/schema/failure.ts'

const open = (listen?: (piece: string) => 'enough' | undefined, maxTokens = 100) =>
  new AnswerReader({ maxTokens, endMarks: ['<|im_end|>'], address: 'http://h', listen })

const event = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`
const piece = (content: string | null, finish_reason: string | null = null) => event({ choices: [{ index: 0, delta: { content }, finish_reason }] })
const finish = (reason: string) => event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })
const usage = event({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } })
const done = event('[DONE]')

function read(...events: readonly string[]): ReadAnswer {
  const reader = open()
  reader.push(Buffer.from(events.join('')))
  reader.end()
  return reader.answer()
}

describe('AnswerReader', () => {
  it('reads role, pieces, the reason of the end and the counts', () => {
    const role = event({ choices: [{ index: 0, delta: { role: 'assistant', content: null }, finish_reason: null }], prompt_progress: { total: 9 } })
    expect(read(role, role, piece('Gre'), piece('en<|im_end|>'), finish('stop'), usage, done)).toEqual({
      ...{ text: 'Green', finish: 'stop', promptTokens: 7, outputTokens: 3 },
    })
  })

  it('reads the reason and the counts wherever they stand', () => {
    const all = event({ choices: [{ delta: { content: 'x' }, finish_reason: 'length' }], usage: { input_tokens: 4, output_tokens: 5 } })
    expect(read(all)).toEqual({ text: 'x', finish: 'length', promptTokens: 4, outputTokens: 5 })
    expect(read(piece('a'), piece('b'), finish('stop'))).toEqual({ text: 'ab', finish: 'stop', promptTokens: 0, outputTokens: 2 })
  })

  it.each([
    ['an error in words', event({ error: 'broken' }), 'engine-failed'],
    ['an error with a status', event({ error: { message: 'slow down', code: 429 } }), 'engine-busy'],
    ['an error of its own shape', event({ object: 'error', message: 'context', code: 400 }), 'picture-refused'],
    ['no JSON', event('{"choices":[{'), 'answer-invalid'],
    ['JSON that is no chat', event('[1,2]'), 'answer-invalid'],
    ['pieces that are no text', event({ choices: [{ delta: { content: 5 } }] }), 'answer-invalid'],
    ['an end without a reason', piece('a') + done, 'answer-invalid'],
    ['a reason that is none of a reading', piece('a') + finish('tool_calls'), 'answer-invalid'],
    ['nothing', '', 'engine-unreachable'],
    ['pieces and no end', piece('a'), 'engine-unreachable'],
  ])('makes a failure of %s', (_, events, code) => {
    try {
      read(events)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code })
    }
  })

  it('hears nothing after enough was heard, and nothing behind the end', () => {
    const heard: string[] = []
    const reader = open((text) => (heard.push(text) === 2 ? 'enough' : undefined))
    reader.push(Buffer.from(piece('a') + piece('b') + piece('c') + finish('stop')))
    expect(reader.isStopped).toBe(true)
    expect(heard).toEqual(['a', 'b'])
    expect(reader.answer()).toMatchObject({ text: 'ab', finish: 'stopped' })
    expect(read(piece('a'), finish('stop'), piece('late'), usage)).toMatchObject({ text: 'a', finish: 'stop' })
  })

  it('ends an answer that outgrows its limit of tokens', () => {
    const reader = open(undefined, 3)
    for (let index = 0; index < 10; index++) reader.push(Buffer.from(piece(' la')))
    expect(reader.isStopped).toBe(true)
    expect(reader.answer()).toMatchObject({ text: ' la la la la', finish: 'length' })
  })

  it('ends an answer that outgrows every bound', () => {
    const reader = open(undefined, 1_000_000)
    for (let index = 0; index < 100 && !reader.isStopped; index++) reader.push(Buffer.from(piece('x'.repeat(100_000))))
    expect(reader.answer().finish).toBe('length')
    expect(reader.answer().text.length).toBeLessThan(5_000_000)
  })

  it('gives an answer or a failure of ours, whatever bytes come', () => {
    const part = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom(piece('a'), piece('<|im_end|>'), finish('stop'), usage, done, ': c\n', '\n', 'data:', '\r\n').map((text) => Buffer.from(text)),
      fc.json().map((json) => Buffer.from(event(json))),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const reader = open()
        try {
          for (const each of parts) reader.push(each)
          reader.end()
          expect(typeof reader.answer().text).toBe('string')
        } catch (error) {
          expect(error).toBeInstanceOf(PagestreamError)
        }
      }),
      { numRuns: 500 },
    )
  })
})
