import { describe, expect, it } from 'vitest'
import type { Ask } from '../../../../../../src/runtime/vlm/engine.ts'
import { vllmDialect } from '../../../../../../src/runtime/vlm/engines/http/dialects/vllm.ts'
import { encodeQuestion } from '../../../../../../src/runtime/vlm/engines/http/encode-question.ts'

const ask: Ask = {
  ...{ task: 'text', prompt: 'Schöne “Grüße”:', maxTokens: 9 },
  decoding: { temperature: 0, topP: 1, topK: 1, repetitionPenalty: 1, presencePenalty: 0, frequencyPenalty: 0 },
}
const body = (asked: Ask) => JSON.parse(encodeQuestion(vllmDialect('mineru2.5'), asked, 'modèle').toString('utf8'))

describe('encodeQuestion', () => {
  it.each([0, 1, 2, 3, 49_151, 49_152, 49_153, 150_000])('writes a picture of %s bytes as a data URI between the words', (length) => {
    const whole = Buffer.from(Uint8Array.from({ length: length + 7 }, (_, i) => (i * 31) & 255))
    const bytes = whole.subarray(7)
    const { model, messages } = body({ ...ask, picture: { bytes, mediaType: 'image/png', width: 1, height: 1 } })
    expect(model).toBe('modèle')
    expect(messages[0].content).toEqual([
      { type: 'image_url', image_url: { url: `data:image/png;base64,${bytes.toString('base64')}` } },
      { type: 'text', text: ask.prompt },
    ])
  })

  it('asks without a picture', () => {
    expect(body(ask).messages[0].content).toEqual([{ type: 'text', text: ask.prompt }])
  })
})
