import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SentPicture } from '../../../src/runtime/vlm/engine.ts'
import { dialectFor } from '../../../src/runtime/vlm/engines/http/dialects/dialect-for.ts'
import { HttpEngine } from '../../../src/runtime/vlm/engines/http/http-engine.ts'
import { askOf, plainPicture } from '../../support/vlm/asks.ts'
import { describeEngine } from '../../support/vlm/engine-contract.ts'
import { startTinyLlamaServer } from '../../support/vlm/tiny-llama-server.ts'
import { tinyModel } from '../../support/vlm/tiny-model.ts'

const model = tinyModel()
const probe = await startTinyLlamaServer()

if ('missing' in probe) {
  describe('a real llama-server', () => {
    it.skip(`keeps the contract of an engine (needs ${probe.missing})`, () => undefined)
  })
} else if (!('missing' in model)) {
  afterAll(() => probe.close())
  const times = { timeoutMs: 60_000, silenceMs: 20_000, startMs: 10_000, absentMs: 5000 }
  const answerTo = (mode: string, colour: string | null) =>
    model.scripts.find((script) => script.mode === mode && script.colour === colour)?.answer.replace('<|im_end|>', '') ?? ''

  describeEngine('a real llama-server', async () => {
    const server = await startTinyLlamaServer()
    if ('missing' in server) throw new Error(`starting llama-server: ${server.missing}`)
    const dialect = dialectFor('mineru2.5', 'llama-server')
    return {
      engine: new HttpEngine({ url: server.url, dialect, model: '', apiKeyFile: '', slots: 0, ...times }),
      short: { ask: askOf('\nText Recognition:', { picture: plainPicture(112, 112, [255, 0, 0]) }), text: answerTo('text', '100') },
      unicode: { ask: askOf('\nText Recognition:', { picture: plainPicture(112, 112, [0, 255, 0]) }), text: answerTo('text', '010') },
      long: askOf('\nLoop:', { maxTokens: 3500 }),
      broken: askOf('\nText Recognition:', { picture: { bytes: Buffer.from('not a picture'), mediaType: 'image/png', width: 8, height: 8 } }),
      close: () => server.close(),
    }
  })
  describe('a real llama-server, asked as each family is', () => {
    const engineFor = async (family: 'mineru2.5' | 'unlimited-ocr'): Promise<HttpEngine> => {
      const engine = new HttpEngine({ url: probe.url, dialect: dialectFor(family, 'llama-server'), model: 'tiny', apiKeyFile: '', slots: 0, ...times })
      await engine.start()
      return engine
    }
    let white: SentPicture
    beforeAll(() => {
      white = plainPicture(280, 280)
    })

    it.each([
      ['mineru2.5', '\nLayout Detection:', 'layout', { tokens: 100 }],
      ['unlimited-ocr', 'document parsing.', 'unlimited', { tokens: 35, window: 128 }],
    ] as const)('gives the whole answer of %s, special tokens and all, with the guard on', async (family, prompt, mode, noRepeat) => {
      await using engine = await engineFor(family)
      const decoding = { ...askOf('').decoding, noRepeat }
      const { text, finish, outputTokens } = await engine.ask(askOf(prompt, { picture: white, decoding, maxTokens: 1000 }))
      const script = model.scripts.find((each) => each.mode === mode && each.colour === null)
      expect(text).toBe(script?.answer.replace('<|im_end|>', ''))
      expect({ finish, outputTokens }).toEqual({ finish: 'stop', outputTokens: script?.tokens })
    })

    it('breaks a loop with the sampler that stands in for the guard', async () => {
      await using engine = await engineFor('unlimited-ocr')
      const decoding = { ...askOf('').decoding, noRepeat: { tokens: 35, window: 128 } }
      const { text } = await engine.ask(askOf('\nLoop:', { decoding, maxTokens: 100 }))
      expect(text).toMatch(/^Looping:(?: la){30,60}(?! la).+/)
    })

    it('says how busy it is in names of its own', async () => {
      await using engine = await engineFor('mineru2.5')
      expect(await engine.load()).toEqual({ running: 0, waiting: 0 })
    })
  })
}
