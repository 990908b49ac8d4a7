import { describe, expect, it } from 'vitest'
import { ModelTitleLeveller } from '../../../../src/consumers/chain/model-title-leveller.ts'
import type { Answer } from '../../../../src/runtime/vlm/engine.ts'

const never = new AbortController().signal
const answer = (text: string, finish: Answer['finish'] = 'stop'): Answer => ({ text, finish, promptTokens: 1, outputTokens: 1, firstTokenMs: 1, totalMs: 1 })
const headings = ['Rivers', 'Sources'].map((text, i) => ({ text, sizePt: 16 - i, pageNumber: 1 }))

describe('asking a model for levels', () => {
  it('asks once for the whole document', async () => {
    let asked = 0
    const leveller = new ModelTitleLeveller({ askText: async () => answer(`{"0": ${++asked}, "1": 2}`) })
    expect(await leveller.levels(headings, never)).toEqual([1, 2])
    expect(asked).toBe(1)
  })

  it('gives nothing for an answer that is cut, a failure, silence or an abort', async () => {
    expect(await new ModelTitleLeveller({ askText: async () => answer('{"0": 1, "1": 2}', 'length') }).levels(headings, never)).toBeUndefined()
    expect(await new ModelTitleLeveller({ askText: async () => Promise.reject(new Error('gone')) }).levels(headings, never)).toBeUndefined()
    const silent = (_ask: unknown, signal: AbortSignal) =>
      new Promise<Answer>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    expect(await new ModelTitleLeveller({ askText: silent }, 20).levels(headings, never)).toBeUndefined()
    const stop = new AbortController()
    const pending = new ModelTitleLeveller({ askText: silent }).levels(headings, stop.signal)
    stop.abort()
    expect(await pending).toBeUndefined()
  })

  it('does not ask about thousands of headings', async () => {
    let asked = 0
    const leveller = new ModelTitleLeveller({ askText: async () => answer(String(++asked)) })
    expect(await leveller.levels(Array(1000).fill(headings[0]), never)).toBeUndefined()
    expect(asked).toBe(0)
  })
})
