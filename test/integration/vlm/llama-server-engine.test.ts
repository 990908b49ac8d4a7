import { describe, it } from 'vitest'
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
  await probe.close()
  const answerTo = (mode: string, colour: string | null) =>
    model.scripts.find((script) => script.mode === mode && script.colour === colour)?.answer.replace('<|im_end|>', '') ?? ''

  describeEngine('a real llama-server', async () => {
    const server = await startTinyLlamaServer()
    if ('missing' in server) throw new Error(`starting llama-server: ${server.missing}`)
    const times = { timeoutMs: 60_000, silenceMs: 20_000, startMs: 10_000, absentMs: 5000 }
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
}
