import { describe, it } from 'vitest'
import { describeEngine } from '../../support/vlm/engine-contract.ts'
import { greedy, scriptAsk, solidPicture, tinyLlama } from '../../support/vlm/tiny-llama-engine.ts'

const tiny = await tinyLlama()

if ('missing' in tiny) {
  describe('llama.cpp in a child process', () => {
    it.skip(`keeps the contract of an engine (needs ${tiny.missing})`, () => undefined)
  })
} else {
  const scripted = async (colour: string) => ({
    ask: await scriptAsk(tiny, { mode: 'text', colour }),
    text: tiny.scripts.find((script) => script.mode === 'text' && script.colour === colour)?.answer.replace('<|im_end|>', '') ?? '',
  })

  describeEngine('llama.cpp in a child process', async () => ({
    engine: tiny.engine({ cells: 4096 }, { slots: 4 }),
    short: await scripted('100'),
    unicode: await scripted('010'),
    long: await scriptAsk(tiny, { mode: 'loop', colour: 'none' }, { decoding: greedy, maxTokens: 3500 }),
    broken: await scriptAsk(tiny, { mode: 'text', colour: null }, { picture: { ...(await solidPicture('100')), bytes: Buffer.from('none') } }),
  }))
}
