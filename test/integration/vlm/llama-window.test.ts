import { describe, expect, it } from 'vitest'
import type { Answer, Decoding } from '../../../src/runtime/vlm/engine.ts'
import type { LlamaEngine } from '../../../src/runtime/vlm/engines/llama/llama-engine.ts'
import { greedy, scriptAsk, type TinyLlama, tinyLlama } from '../../support/vlm/tiny-llama-engine.ts'

const found = await tinyLlama()
const missing = 'missing' in found ? found.missing : undefined
const tiny = found as TinyLlama

/** What Unlimited-OCR is asked with. */
const guarded: Decoding = { ...greedy, noRepeat: { tokens: 35, window: 128 } }
const longAnswer = 872

async function writeLong(engine: LlamaEngine, decoding: Decoding): Promise<Answer> {
  return await engine.ask(await scriptAsk(tiny, { mode: 'loop', colour: null }, { maxTokens: longAnswer, decoding }))
}

describe.skipIf(missing !== undefined)(`the window of written tokens${missing ? ` (needs ${missing})` : ''}`, () => {
  it('writes 872 tokens in 256 cells, the same as without a window in enough of them', async () => {
    await using windowed = tiny.engine({ cells: 256, window: 128, imageTokens: 16 })
    await using whole = tiny.engine({ cells: 2048, window: 0, imageTokens: 16 })
    await Promise.all([windowed.start(), whole.start()])
    expect(windowed.facts).toMatchObject({ cells: 256, window: 128 })
    const [short, long] = await Promise.all([writeLong(windowed, guarded), writeLong(whole, guarded)])
    expect(short).toMatchObject({ finish: 'length', outputTokens: longAnswer })
    expect(short.text).toBe(long.text)
    expect(short.text.length).toBeGreaterThan(2000)
  })

  it('runs out of cells where there is no window', async () => {
    await using whole = tiny.engine({ cells: 256, window: 0, imageTokens: 16 })
    await whole.start()
    const answer = await writeLong(whole, guarded)
    expect(answer.finish).toBe('length')
    expect(answer.promptTokens + answer.outputTokens).toBe(256)
  })

  it('keeps the windows of answers apart that are written at once, whatever their lengths', async () => {
    await using engine = tiny.engine({ cells: 256, window: 128, imageTokens: 16 }, { slots: 3 })
    await engine.start()
    const layout = await scriptAsk(tiny, { mode: 'layout', colour: null })
    const [alone, first, second, ...others] = await Promise.all([
      writeLong(engine, greedy),
      writeLong(engine, guarded),
      writeLong(engine, guarded),
      ...Array.from({ length: 4 }, () => engine.ask(layout)),
    ])
    expect(alone.text).toBe(`Looping:${' la'.repeat(longAnswer - 2)}`)
    expect(first.text).toBe(second.text)
    expect(others.map(({ outputTokens }) => outputTokens)).toEqual([177, 177, 177, 177])
  })

  it('takes a prompt that just leaves room for the window, and none that is longer', async () => {
    await using engine = tiny.engine({ cells: 256, window: 128, imageTokens: 16 })
    await engine.start()
    const ask = async (prompt: string): Promise<Answer> =>
      await engine.ask(await scriptAsk(tiny, { mode: 'loop', colour: 'none' }, { prompt, maxTokens: 400, decoding: guarded }))
    const { promptTokens } = await ask('Loop')
    const filler = 128 - promptTokens
    expect(await ask(`Loop${'\n'.repeat(filler)}`)).toMatchObject({ promptTokens: 128, outputTokens: 400 })
    await expect(ask(`Loop${'\n'.repeat(filler + 1)}`)).rejects.toMatchObject({ code: 'picture-refused' })
  })
})
