import { describe, expect, it } from 'vitest'
import { cellMerger, ModelCellMerger } from '../../../../src/consumers/chain/model-cell-merger.ts'
import type { Answer } from '../../../../src/runtime/vlm/engine.ts'
import type { PlannedAsk } from '../../../../src/runtime/vlm/family.ts'

const answer = (text: string): Answer => ({ text, finish: 'stop', promptTokens: 1, outputTokens: 1, firstTokenMs: 1, totalMs: 1 })
const never = new AbortController().signal
const reading = (askText: (ask: PlannedAsk, signal: AbortSignal) => Promise<Answer>) => new ModelCellMerger({ askText }, { timeoutMs: 50 })
/** As an engine does: it ends with an abort and no sooner. */
const silent = (_ask: PlannedAsk, signal: AbortSignal) =>
  new Promise<Answer>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })

describe('asking a model about cells', () => {
  it('gives a flag for each cell', async () => {
    const asked: string[] = []
    const merger = reading(async ({ prompt }) => {
      asked.push(prompt)
      return answer('[0, 1]')
    })
    expect(await merger.merge(['Alpha', 'long te'], ['', 'xt'], never)).toEqual([false, true])
    expect(asked[0]).toContain("[['Alpha', 'long te']]")
  })

  it('gives nothing for nonsense, failures and silence, and then asks no more', async () => {
    let asked = 0
    const replies = [async () => answer('[7]'), async () => Promise.reject(new Error('gone')), silent]
    const merger = reading((ask, signal) => replies[asked++]?.(ask, signal) ?? Promise.resolve(answer('[1]')))
    for (let i = 0; i < 5; i++) expect(await merger.merge(['a'], ['b'], never)).toBeUndefined()
    expect(asked).toBe(3)
  })

  it('forgets a failure over a good answer', async () => {
    const replies = ['', '', '[1]', '', '', '[1]']
    const merger = reading(async () => answer(replies.shift() ?? ''))
    const flags: unknown[] = []
    for (let i = 0; i < 6; i++) flags.push(await merger.merge(['a'], ['b'], never))
    expect(flags).toEqual([undefined, undefined, [true], undefined, undefined, [true]])
  })

  it('asks four questions at once', async () => {
    let [now, most] = [0, 0]
    const merger = reading(async () => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 5))
      now--
      return answer('[1]')
    })
    const all = await Promise.all(Array.from({ length: 20 }, () => merger.merge(['a'], ['b'], never)))
    expect(all.every((flags) => flags?.[0])).toBe(true)
    expect(most).toBe(4)
  })

  it('asks no more when the time of the document is over', async () => {
    let asked = 0
    const merger = new ModelCellMerger({ askText: async () => answer(`[${Math.sign(++asked)}]`) }, { documentMs: 30 })
    expect(await merger.merge(['a'], ['b'], never)).toEqual([true])
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(await merger.merge(['a'], ['b'], never)).toBeUndefined()
    expect(asked).toBe(1)
  })

  it('ends with an abort', async () => {
    const stop = new AbortController()
    const merger = new ModelCellMerger({ askText: silent })
    const pending = Array.from({ length: 6 }, () => merger.merge(['a'], ['b'], stop.signal))
    stop.abort()
    expect(await Promise.all(pending)).toEqual(Array(6).fill(undefined))
  })

  it('does not ask about rows that no model has room for', async () => {
    let asked = 0
    const merger = reading(async () => answer(`[${++asked}]`))
    expect(await merger.merge(['x'.repeat(20_000)], ['b'], never)).toBeUndefined()
    expect(asked).toBe(0)
  })

  it('is for the family that was taught to answer', () => {
    const askText = async () => answer('[1]')
    expect(cellMerger({ family: 'mineru2.5', askText })).toBeDefined()
    expect(cellMerger({ family: 'mineru2.5' })).toBeUndefined()
    expect(cellMerger({ family: 'teleocr', askText })).toBeUndefined()
  })
})
