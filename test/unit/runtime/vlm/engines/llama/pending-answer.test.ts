import { describe, expect, it, vi } from 'vitest'
import { PendingAnswer } from '../../../../../../src/runtime/vlm/engines/llama/pending-answer.ts'

const limits = { timeoutMs: 1000, silenceMs: 30 }
const figures = { finish: 'stop', promptTokens: 3, outputTokens: 2, promptMs: 1, writeMs: 1 } as const
const events = () => ({ cancel: vi.fn(), late: vi.fn() })

describe('a question in hand', () => {
  it('is answered with all that was heard, and its times', async () => {
    const pending = new PendingAnswer({}, limits, performance.now(), events())
    for (const piece of ['', 'a', 'b']) pending.hear(piece)
    pending.finish(figures)
    const answer = await pending.answer
    expect(answer).toMatchObject({ text: 'ab', finish: 'stop', promptTokens: 3, outputTokens: 2 })
    expect(answer.firstTokenMs).toBeLessThanOrEqual(answer.totalMs)
  })

  it('tells its listener no empty pieces, and nothing more once that has heard enough', async () => {
    const on = events()
    const listen = vi.fn((piece: string) => (piece === 'b' ? ('enough' as const) : undefined))
    const pending = new PendingAnswer({ listen }, limits, performance.now(), on)
    for (const piece of ['', 'a', 'b', 'c']) pending.hear(piece)
    pending.finish(figures)
    expect(await pending.answer).toMatchObject({ text: 'ab', finish: 'stopped' })
    expect(listen.mock.calls).toEqual([['a'], ['b']])
    expect(on.cancel).toHaveBeenCalledOnce()
  })

  it('fails with what its listener throws', async () => {
    const on = events()
    const listen = (): undefined => {
      throw new RangeError('listening')
    }
    const pending = new PendingAnswer({ listen }, limits, performance.now(), on)
    pending.hear('a')
    await expect(pending.answer).rejects.toThrow('listening')
    expect(on.cancel).toHaveBeenCalledOnce()
  })

  it('is cancelled by its signal', async () => {
    const on = events()
    const abort = new AbortController()
    const pending = new PendingAnswer({ signal: abort.signal }, limits, performance.now(), on)
    abort.abort()
    await expect(pending.answer).rejects.toMatchObject({ code: 'cancelled' })
    expect(on.cancel).toHaveBeenCalledOnce()
    pending.finish(figures)
    await expect(pending.answer).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('is late when it stands still, but not before its first piece', async () => {
    const on = events()
    const pending = new PendingAnswer({}, limits, performance.now(), on)
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(on.late).not.toHaveBeenCalled()
    pending.hear('a')
    await expect(pending.answer).rejects.toMatchObject({ code: 'engine-timeout', message: expect.stringContaining('30 ms') })
    expect(on.late).toHaveBeenCalledOnce()
  })

  it('is late when it takes too long', async () => {
    const on = events()
    const pending = new PendingAnswer({}, { timeoutMs: 20, silenceMs: 1000 }, performance.now(), on)
    await expect(pending.answer).rejects.toMatchObject({ code: 'engine-timeout', message: expect.stringContaining('20 ms') })
    expect(on.late).toHaveBeenCalledOnce()
  })
})
