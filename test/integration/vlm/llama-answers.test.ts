import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SentPicture } from '../../../src/runtime/vlm/engine.ts'
import type { LlamaEngine } from '../../../src/runtime/vlm/engines/llama/llama-engine.ts'
import { greedy, scriptAsk, solidPicture, type TinyLlama, tinyLlama } from '../../support/vlm/tiny-llama-engine.ts'

const found = await tinyLlama()
const missing = 'missing' in found ? found.missing : undefined
const tiny = found as TinyLlama
const endOfAnswer = '<|im_end|>'

describe.skipIf(missing !== undefined)(`answers of llama.cpp in a child process${missing ? ` (needs ${missing})` : ''}`, () => {
  let engine: LlamaEngine

  beforeAll(async () => {
    engine = tiny.engine({}, { slots: 4 })
    await engine.start()
  })

  afterAll(() => engine[Symbol.asyncDispose]())

  const finite = missing ? [] : tiny.scripts.filter(({ answer }) => answer.endsWith(endOfAnswer))

  it('knows what it has loaded', () => {
    expect(engine.facts).toMatchObject({ architecture: 'qwen2vl', cells: 1024, window: 0 })
    expect(engine.model).toBe('tiny-vlm')
  })

  it.each(finite)('gives the script $mode for the colour $colour byte for byte', async (script) => {
    const answer = await engine.ask(await scriptAsk(tiny, script))
    expect(answer).toMatchObject({ text: script.answer.slice(0, -endOfAnswer.length), finish: 'stop', outputTokens: script.tokens })
    expect(answer.promptTokens).toBeGreaterThan(20)
    expect(answer.totalMs).toBeGreaterThanOrEqual(answer.firstTokenMs)
  })

  it('writes all scripts at once, each in a sequence of its own, more than there are slots', async () => {
    const answers = await Promise.all(finite.map(async (script) => (await engine.ask(await scriptAsk(tiny, script))).text))
    expect(answers).toEqual(finite.map(({ answer }) => answer.slice(0, -endOfAnswer.length)))
  })

  it('streams whole characters', async () => {
    const pieces: string[] = []
    const ask = await scriptAsk(tiny, { mode: 'text', colour: '010' })
    const { text } = await engine.ask(ask, { listen: (piece) => void pieces.push(piece) })
    expect(pieces.length).toBeGreaterThan(5)
    expect(pieces.join('')).toBe(text)
    expect(pieces.some((piece) => piece.includes('\ufffd'))).toBe(false)
  })

  it('stops at the limit of tokens', async () => {
    const answer = await engine.ask(await scriptAsk(tiny, { mode: 'loop', colour: null }, { maxTokens: 10 }))
    expect(answer).toMatchObject({ text: 'Looping: la la la la la la la la', finish: 'length', outputTokens: 10 })
  })

  it('stops when the cells of its sequence are used up', async () => {
    const answer = await engine.ask(await scriptAsk(tiny, { mode: 'loop', colour: null }, { maxTokens: 100_000 }))
    expect(answer.finish).toBe('length')
    expect(answer.promptTokens + answer.outputTokens).toBe(1024)
  })

  it('gives the answer so far when the listener has heard enough', async () => {
    let heard = ''
    const ask = await scriptAsk(tiny, { mode: 'loop', colour: null }, { maxTokens: 800 })
    const listen = (piece: string): 'enough' | undefined => {
      heard += piece
      return heard.length > 40 ? 'enough' : undefined
    }
    const answer = await engine.ask(ask, { listen })
    expect(answer).toMatchObject({ text: heard, finish: 'stopped' })
    expect(answer.outputTokens).toBeLessThan(800)
  })

  it('frees the slots of questions that are cancelled while others are answered', async () => {
    const loop = await scriptAsk(tiny, { mode: 'loop', colour: null }, { maxTokens: 900 })
    const abort = new AbortController()
    const given = Array.from({ length: 6 }, () => engine.ask(loop, { signal: abort.signal }))
    const kept = engine.ask(await scriptAsk(tiny, { mode: 'layout', colour: null }))
    setTimeout(() => abort.abort(), 50)
    for (const answer of given) await expect(answer).rejects.toMatchObject({ code: 'cancelled' })
    expect((await kept).outputTokens).toBe(177)
    await expect.poll(() => engine.load()).toEqual({ running: 0, waiting: 0 })
  })

  it('answers rightly after questions that are given up at any moment, prompts that are being read included', async () => {
    await using single = tiny.engine()
    await single.start()
    const [loop, json] = [await scriptAsk(tiny, { mode: 'loop', colour: null }, { maxTokens: 900 }), await scriptAsk(tiny, { mode: 'json', colour: 'none' })]
    for (let ms = 0; ms < 60; ms += 3) {
      await expect(single.ask(loop, { signal: AbortSignal.timeout(ms) })).rejects.toMatchObject({ code: 'cancelled' })
      expect((await single.ask(json)).text).toBe('{"kind":"title","level":1}')
    }
  })

  it('asks nothing under a signal that is aborted', async () => {
    const ask = await scriptAsk(tiny, { mode: 'json', colour: 'none' })
    await expect(engine.ask(ask, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('ends an answer that takes too long', async () => {
    await using impatient = tiny.engine({}, { timeoutMs: 100 })
    await impatient.start()
    const ask = await scriptAsk(tiny, { mode: 'loop', colour: null }, { maxTokens: 900, prompt: 'Loop' })
    await expect(impatient.ask(ask)).rejects.toMatchObject({ code: 'engine-timeout' })
  })

  it('lowers what was written by the penalties', async () => {
    const decoding = { ...greedy, presencePenalty: 2, frequencyPenalty: 2 }
    const { text } = await engine.ask(await scriptAsk(tiny, { mode: 'loop', colour: null }, { maxTokens: 12, decoding }))
    expect(text).toMatch(/^Looping: la/)
    expect(text).not.toBe('Looping: la la la la la la la la la la')
  })

  it('writes no run of tokens twice under the guard', async () => {
    const decoding = { ...greedy, noRepeat: { tokens: 5 } }
    const { text } = await engine.ask(await scriptAsk(tiny, { mode: 'loop', colour: null }, { maxTokens: 40, decoding }))
    expect(text.startsWith('Looping: la la la la la')).toBe(true)
    expect(text).not.toContain(' la la la la la la')
  })

  it('draws the script at a temperature that leaves it no choice', async () => {
    const decoding = { ...greedy, temperature: 0.1, topP: 0.01, topK: 1 }
    const { text } = await engine.ask(await scriptAsk(tiny, { mode: 'json', colour: null }, { decoding }))
    expect(text).toBe('{"kind":"title","level":1}')
  })

  it('takes names of control tokens in a prompt as text', async () => {
    const ask = await scriptAsk(tiny, { mode: 'json', colour: null }, { prompt: 'JSON <|im_end|> <__media__>' })
    expect((await engine.ask(ask)).text).toBe('{"kind":"title","level":1}')
  })

  describe('refuses what the library must not see, and answers the next question', () => {
    const whole = async (): Promise<SentPicture> => await solidPicture('100')

    it.each([
      ['bytes that are no picture', async () => ({ ...(await whole()), bytes: new Uint8Array([1, 2, 3]) })],
      ['a picture cut off in the middle', async () => await cutPicture()],
      ['a picture of another size than it says', async () => ({ ...(await whole()), width: 281 })],
    ])('%s', async (_, make) => {
      const ask = await scriptAsk(tiny, { mode: 'text', colour: null }, { picture: await make() })
      await expect(engine.ask(ask)).rejects.toMatchObject({ code: 'picture-refused' })
      expect((await engine.ask(await scriptAsk(tiny, { mode: 'text', colour: '100' }))).text).toBe('A red heading')
    })

    it('a prompt that is longer than the cells of a sequence', async () => {
      const ask = await scriptAsk(tiny, { mode: 'text', colour: null }, { prompt: 'Text '.repeat(3000) })
      await expect(engine.ask(ask)).rejects.toMatchObject({ code: 'picture-refused' })
      expect((await engine.ask(await scriptAsk(tiny, { mode: 'text', colour: '100' }))).text).toBe('A red heading')
    })
  })

  it('looks at pictures of odd shapes', async () => {
    for (const [width, height] of [
      [1, 1],
      [6000, 1],
      [1400, 28],
      [3000, 4000],
    ] as const) {
      const ask = await scriptAsk(tiny, { mode: 'json', colour: null }, { picture: await solidPicture('100', width, height) })
      expect((await engine.ask(ask)).text).toBe('{"kind":"title","level":1}')
    }
  })
})

/** A JPEG of noise without its last third: many readers take it as it is. */
async function cutPicture(): Promise<SentPicture> {
  const { default: sharp } = await import('sharp')
  const noise = Uint8Array.from({ length: 200 * 200 * 3 }, (_, i) => (i * 7919) % 251)
  const bytes = await sharp(noise, { raw: { width: 200, height: 200, channels: 3 } })
    .jpeg()
    .toBuffer()
  return { bytes: bytes.subarray(0, Math.floor((bytes.length * 2) / 3)), mediaType: 'image/jpeg', width: 200, height: 200 }
}
